import { isRegexError } from '@millrace/query/compile/describe-sql-error';
import { QUERY_CANCELED } from '../../datasets/sql-states.js';
import { QUERY_MISMATCH } from '../writing/export-task.js';
import { ExportWriteError } from './export-threads.js';

/** What a user should know of a failure that another try would end in, too; null of all others. */
export function explainFailure(error: unknown): string | null {
  if (error instanceof TableDeletedError) return 'the table was deleted';
  if (error instanceof NoRowFoundError) return 'no row was found for a minute; make the query simpler, or narrow it';
  if (!(error instanceof ExportWriteError) || error.code === undefined) return null;
  if (error.code === QUERY_MISMATCH) return `the query does not fit the table any more: ${error.message}`;
  if (isRegexError(error.code)) return `the query holds what is no regular expression: ${error.message}`;
  // Of class 22 is a value that something cannot be made of (Postgres docs, appendix A).
  if (error.code === QUERY_CANCELED) return 'it took longer than an hour';
  return error.code.startsWith('22') ? `a value cannot be read as the query wants it: ${error.message}` : null;
}

/** What an export was to be of is gone. */
export class TableDeletedError extends Error {}

/** Postgres is at work, and gives nothing. */
export class NoRowFoundError extends Error {}
