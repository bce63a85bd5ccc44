import { renderMarkdown } from '../lib/render-markdown.mjs';
import { countErrors, totalOf } from './summarize.mjs';

const KIB = 1024;

/**
 * @param {import('./summarize.mjs').LoadResult} result
 * @returns {string} Markdown: the setting, and tables of requests, errors, processes and stores
 */
export function renderLoad(result) {
  return [
    renderSetting(result),
    renderRequests(result),
    renderErrors(result),
    renderProcesses(result),
    renderStores(result),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** @param {import('./summarize.mjs').LoadResult} result */
function renderSetting(result) {
  const { users, seconds, isolation, machineBusyMs, date, commit, node, processors, memoryGib } = result.setting;
  const busy = result.processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000 / seconds;
  return (
    `${users} users, ${(seconds / 60).toFixed(1)} min, isolation "${isolation}", two copies of every service, ${date}, commit ${commit}, ` +
    `Node.js ${node}, ${processors}, ${memoryGib} GiB. ${totalOf(result).perSecond.toFixed(1)} requests/s and ` +
    `${(result.stores.subjobs / seconds).toFixed(1)} subjobs/s, with ${busy.toFixed(2)} processors busy. ` +
    `Other programs kept ${(machineBusyMs / 1000 / seconds - busy).toFixed(2)} processors busy.`
  );
}

/** @param {import('./summarize.mjs').LoadResult} result */
function renderRequests({ requests }) {
  return renderMarkdown(
    ['Request', 'Count', 'Each second', 'p50, ms', 'p99, ms', 'p50 of one user, ms', 'Errors'],
    requests.map(({ kind, count, perSecond, p50, p99, floorP50, errors }) => [
      ...[kind, count, perSecond.toFixed(2), p50.toFixed(1), p99.toFixed(1), floorP50?.toFixed(1) ?? ''],
      countErrors(errors),
    ]),
  );
}

/** @param {import('./summarize.mjs').LoadResult} result */
function renderErrors({ requests }) {
  const rows = requests.flatMap(({ kind, errors }) =>
    Object.entries(errors).map(([name, count]) => [kind, name, count]),
  );
  return rows.length === 0 ? '' : renderMarkdown(['Request', 'Error', 'Count'], rows);
}

/** @param {import('./summarize.mjs').LoadResult} result */
function renderProcesses({ processes, setting: { seconds } }) {
  return renderMarkdown(
    ['Process', 'CPU, s', 'Of a processor', 'Memory (most), MiB', 'Loop delay p50, ms', 'p99 (most), ms'],
    processes.map(({ name, copy, cpuMs, memoryMib, lagP50Ms, lagP99Ms }) => [
      `${name} ${copy}`,
      ...[(cpuMs / 1000).toFixed(1), `${(cpuMs / 10 / seconds).toFixed(1)} %`, memoryMib.toFixed(0)],
      ...[lagP50Ms?.toFixed(1) ?? '', lagP99Ms?.toFixed(1) ?? ''],
    ]),
  );
}

/** @param {import('./summarize.mjs').LoadResult} result */
function renderStores({ stores, setting: { seconds } }) {
  const each = (/** @type {number} */ value) => (value / seconds).toFixed(1);
  const bytes = (/** @type {string} */ name, /** @type {number} */ value) => [
    ...[`${name}, KiB`, (value / KIB).toFixed(0), each(value / KIB)],
  ];
  return renderMarkdown(
    ['Stores', 'In all', 'Each second'],
    [
      ['subjobs', stores.subjobs, each(stores.subjobs)],
      ['commits of Postgres', stores.commits, each(stores.commits)],
      bytes('write-ahead log', stores.walBytes),
      bytes('growth of the database', stores.databaseBytes),
      bytes('growth of the object store', stores.objectBytes),
      ['commands of Redis', stores.redisCommands, each(stores.redisCommands)],
      ['connections to Postgres, most', stores.connections, ''],
    ],
  );
}
