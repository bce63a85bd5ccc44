import { NotFoundError } from '@millrace/contracts/kit/api-error';

/** Prisma's codes for a row that is gone (P2025) and for one whose parent is gone (P2003, a foreign key). */
const GONE = ['P2025', 'P2003'];

/** Awaits a write; where another request has deleted the record or what it belongs to meanwhile, it is not found. */
export async function orNotFound<T>(what: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'code' in error && GONE.includes(String(error.code))) throw new NotFoundError(what);
    throw error;
  }
}
