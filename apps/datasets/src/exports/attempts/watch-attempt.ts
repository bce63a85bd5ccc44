import { isRegexError } from '@millrace/query/compile/describe-sql-error';
import { QUERY_CANCELED } from '../../datasets/sql-states.js';
import { QUERY_MISMATCH } from '../writing/export-task.js';
import { AttemptSupersededError, type ExportAttempt } from './export-attempt.js';
import { type AttemptWatcher, ExportWriteError } from './export-threads.js';

const CHECK_INTERVAL_MS = 1_000;
/** Sorting a large table may take a while before the first row. A longer search would keep other exports waiting. */
const MAX_SEARCH_MS = 60_000;

/**
 * Reports the progress of an attempt every second. Stops the attempt if the export or its table was deleted, a later
 * attempt has started, or Postgres searches for the next row for too long.
 */
export async function watchAttempt<T>(
  attempt: ExportAttempt,
  work: (watcher: AttemptWatcher) => Promise<T>,
  maxSearchMs = MAX_SEARCH_MS,
): Promise<T> {
  const stop = new AbortController();
  const progress = { pid: 0, bytes: 0 };
  let lastActivity = { rows: 0n, at: performance.now() };
  const checks = new Set<Promise<void>>();
  const check = async () => {
    try {
      const { tableExists, isSearching, rows } = await attempt.reportProgress(progress);
      if (!tableExists) stop.abort(new TableDeletedError());
      if (!isSearching || rows !== lastActivity.rows) lastActivity = { rows, at: performance.now() };
      else if (performance.now() - lastActivity.at > maxSearchMs) stop.abort(new NoRowFoundError());
    } catch (error) {
      // If Postgres is not available, the thread cannot read either and reports its own error.
      if (error instanceof AttemptSupersededError) stop.abort(error);
    }
  };
  const timer = setInterval(() => {
    if (checks.size > 0) return;
    const checked = check().finally(() => checks.delete(checked));
    checks.add(checked);
  }, CHECK_INTERVAL_MS);
  try {
    return await work({
      reserveFile: (object) => attempt.reserveFile(object),
      reportProgress: (update) => Object.assign(progress, update),
      signal: stop.signal,
    });
  } finally {
    clearInterval(timer);
    await Promise.all(checks);
  }
}

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
class NoRowFoundError extends Error {}
