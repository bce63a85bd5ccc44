/** SQLSTATEs that changes and queries of Live Tables may fail with (Postgres docs, appendix A). */
export const LOCK_NOT_AVAILABLE = '55P03';
export const QUERY_CANCELED = '57014';
export const INSUFFICIENT_PRIVILEGE = '42501';
export const UNDEFINED_TABLE = '42P01';
/** For example, a value is too long for an index. */
export const PROGRAM_LIMIT_EXCEEDED = '54000';
/** The statement is too complex, or a JSON value is nested more deeply than Postgres can read. */
export const STATEMENT_TOO_COMPLEX = '54001';
export const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE of an error from Postgres; null for any other error. */
export function sqlStateOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
