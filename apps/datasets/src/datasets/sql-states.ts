/** SQLSTATEs that a change of a Live Table may end with (Postgres docs, appendix A). */
export const LOCK_TIMEOUT = '55P03';
export const CANCELLED = '57014';
export const NO_SUCH_TABLE = '42P01';
/** Among others a value that is too long for an index. */
export const TOO_LONG = '54000';
/** A statement that is too complex; of a value, JSON that is nested more deeply than Postgres reads. */
export const TOO_DEEP = '54001';
export const NOT_UNIQUE = '23505';

/** The SQLSTATE of what Postgres refused on a connection of pg; null for any other error. */
export function sqlStateOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
