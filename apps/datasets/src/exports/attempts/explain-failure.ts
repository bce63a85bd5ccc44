import { isRegexError } from '@millrace/query/compile/describe-sql-error';
import { QUERY_CANCELED } from '../../datasets/sql-states.js';
import { QUERY_MISMATCH } from '../writing/export-task.js';
import { ExportWriteError } from './export-threads.js';

/** Explains a failure that another attempt would not avoid; null for all other failures. */
export function explainFailure(error: unknown): string | null {
  if (error instanceof TableDeletedError) return 'The Live Table was deleted.';
  if (error instanceof NoRowFoundError) return 'The query found no row for a minute. Simplify it or narrow it down.';
  if (!(error instanceof ExportWriteError) || error.code === undefined) return null;
  if (error.code === QUERY_MISMATCH) return `The query no longer fits the table: ${error.message}`;
  if (isRegexError(error.code)) return `The query contains an invalid regular expression: ${error.message}`;
  if (error.code === QUERY_CANCELED) return 'The export took longer than an hour. Narrow down the query.';
  // Class 22: a value cannot be converted (Postgres docs, appendix A).
  return error.code.startsWith('22') ? `The query cannot be evaluated for a value: ${error.message}` : null;
}

/** The table of an export was deleted. */
export class TableDeletedError extends Error {}

/** Postgres has searched for the next row for too long. */
export class NoRowFoundError extends Error {}
