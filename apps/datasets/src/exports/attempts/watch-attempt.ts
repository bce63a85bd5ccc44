import { NoRowFoundError, TableDeletedError } from './explain-failure.js';
import { AttemptSupersededError, type ExportAttempt } from './export-attempt.js';
import type { AttemptWatcher } from './export-threads.js';

const LOOK_MS = 1_000;
/** Sorting a large table may take a while before there is a first row; what takes longer would keep others waiting. */
const MAX_SILENT_MS = 60_000;

/**
 * Notes each second how far it is, and stops it where it was deleted, its table was, another try has begun, or Postgres
 * seeks the next row for too long.
 */
export async function watchAttempt<T>(
  attempt: ExportAttempt,
  work: (watcher: AttemptWatcher) => Promise<T>,
  mostSilentMs = MAX_SILENT_MS,
): Promise<T> {
  const stop = new AbortController();
  const progress = { pid: 0, bytes: 0 };
  let heard = { rows: 0n, at: performance.now() };
  const looking = new Set<Promise<void>>();
  const look = async () => {
    try {
      const { tableExists, isSearching, rows } = await attempt.reportProgress(progress);
      if (!tableExists) stop.abort(new TableDeletedError());
      if (!isSearching || rows !== heard.rows) heard = { rows, at: performance.now() };
      else if (performance.now() - heard.at > mostSilentMs) stop.abort(new NoRowFoundError());
    } catch (error) {
      // Without Postgres nothing is read, either; the thread says so.
      if (error instanceof AttemptSupersededError) stop.abort(error);
    }
  };
  const timer = setInterval(() => {
    if (looking.size > 0) return;
    const looked = look().finally(() => looking.delete(looked));
    looking.add(looked);
  }, LOOK_MS);
  try {
    return await work({
      reserveFile: (object) => attempt.reserveFile(object),
      reportProgress: (told) => Object.assign(progress, told),
      signal: stop.signal,
    });
  } finally {
    clearInterval(timer);
    await Promise.all(looking);
  }
}
