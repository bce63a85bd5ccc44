import { NotFoundError } from '@millrace/contracts/kit/api-error';

/** Prisma's codes for a missing row (P2025) and for a missing parent row (P2003, a foreign key). */
const MISSING_ROW_CODES = ['P2025', 'P2003'];

/**
 * Awaits a write. @throws NotFoundError if another request has deleted the record or its parent
 * @param record kind and id, such as `Workflow 01a2…`
 */
export async function orNotFound<T>(record: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING_ROW_CODES.includes(String(error.code)))
      throw new NotFoundError(record);
    throw error;
  }
}
