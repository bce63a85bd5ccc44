import { percentile } from '../lib/random.mjs';

/** @typedef {{ kind: string, count: number, perSecond: number, p50: number, p99: number, floorP50: number | null, errors: Record<string, number> }} RequestRow milliseconds */
/** @typedef {{ name: string, copy: number, cpuMs: number, memoryMib: number, lagP50Ms: number | null, lagP99Ms: number | null }} ProcessRow */

/**
 * What the load test has measured.
 * @typedef {object} LoadResult
 * @property {import('../lib/describe-machine.mjs').Machine & { users: number, seconds: number, isolation: string, machineBusyMs: number }} setting `machineBusyMs`: of all
 *   programs
 * @property {RequestRow[]} requests
 * @property {ProcessRow[]} processes
 * @property {import('../lib/usage/store-counters.mjs').Counters} stores growth during the load; of the connections, the maximum
 */

/**
 * @param {object} measured
 * @param {LoadResult['setting']} measured.setting
 * @param {import('./run-users.mjs').UsersResult} measured.load
 * @param {import('./run-users.mjs').UsersResult} measured.floor of one user in the quiet system
 * @param {import('../lib/usage/system-usage.mjs').Usage[]} measured.processes
 * @param {import('../lib/usage/watch-loop-lag.mjs').LoopLag[]} measured.lags
 * @param {LoadResult['stores']} measured.stores
 * @returns {LoadResult}
 */
export function summarize({ setting, load, floor, processes, lags, stores }) {
  const requests = load.recorded
    .map(({ kind, latencies, errors }) => ({
      kind,
      count: latencies.length + countErrors(errors),
      perSecond: latencies.length / setting.seconds,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      floorP50: percentile(floor.recorded.find((quiet) => quiet.kind === kind)?.latencies ?? [], 0.5),
      errors,
    }))
    .sort((a, b) => a.kind.localeCompare(b.kind));
  const generator = { name: 'load generator', copy: 1, cpuMs: load.cpuMs, memoryMib: load.memoryMib };
  const rows = [...processes, generator].map((process) => {
    const lag = lags.find(({ name, copy }) => name === process.name && copy === process.copy);
    return { ...process, lagP50Ms: lag?.p50Ms ?? null, lagP99Ms: lag?.p99Ms ?? null };
  });
  return { setting, requests, processes: rows, stores };
}

/** @param {Record<string, number>} errors */
export const countErrors = (errors) => Object.values(errors).reduce((sum, count) => sum + count, 0);

/** @param {LoadResult} result the totals of all requests; watching is none */
export function totalOf({ requests, setting: { seconds } }) {
  const own = requests.filter(({ kind }) => !kind.startsWith('watch'));
  const count = own.reduce((sum, row) => sum + row.count, 0);
  const errors = requests.reduce((sum, row) => sum + countErrors(row.errors), 0);
  return { count, errors, perSecond: count / seconds };
}

/**
 * Rows for the table of all workloads: each kind of request beside the same request of a single user.
 * @param {LoadResult} result
 * @returns {import('../run.mjs').Result[]}
 */
export function toResults(result) {
  const { isolation, users } = result.setting;
  const { count, errors } = totalOf(result);
  const latencies = result.requests.map(({ kind, p50, p99, floorP50 }) => ({
    ...{ workload: `load: ${kind}, ${users} users`, isolation, goal: 'none', met: true },
    ours: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    floor: `p50 ${(floorP50 ?? NaN).toFixed(1)} ms (one user)`,
    ratio: p50 / (floorP50 ?? NaN),
  }));
  const failed = {
    ...{ workload: 'load: requests that failed', isolation, ours: `${errors} of ${count}`, floor: '' },
    ...{ ratio: errors / count, goal: 'none fails', met: errors === 0 },
  };
  return [failed, ...latencies];
}
