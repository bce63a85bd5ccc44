import { renderMarkdown } from '../lib/render-markdown.mjs';

const NAMES = {
  idle: 'Idle, each second',
  request: 'A request',
  run: 'A run',
  fan: 'A run with a list',
  step: 'A step',
  child: 'A child',
};

/**
 * @param {{ machine: import('../lib/describe-machine.mjs').Machine, isolation: string } & Pick<ReturnType<typeof import('./derive-units.mjs').deriveUnits>, 'units'>} costs
 * @returns {string} Markdown: where the costs were measured, and a table
 */
export function renderCosts({ machine, isolation, units }) {
  const { date, commit, node, processors, memoryGib } = machine;
  const columns = /** @type {(keyof typeof NAMES)[]} */ (Object.keys(NAMES));
  const processes = Object.keys(units.child.cpuMs);
  const row = (
    /** @type {string} */ name,
    /** @type {(cost: import('./measure-phase.mjs').Cost) => string} */ format,
  ) => [...[name], ...columns.map((column) => format(units[column]))];
  const kib = (/** @type {number} */ bytes) => (bytes / 1024).toFixed(1);
  const table = renderMarkdown(
    ['Cost', ...columns.map((column) => NAMES[column])],
    [
      ...processes.map((name) => row(`CPU of ${name}, ms`, ({ cpuMs }) => (cpuMs[name] ?? 0).toFixed(2))),
      row('commits of Postgres', ({ commits }) => commits.toFixed(2)),
      row('commands of Redis', ({ redisCommands }) => redisCommands.toFixed(1)),
      row('dispatches', ({ dispatches }) => dispatches.toFixed(2)),
      row('write-ahead log, KiB', ({ walBytes }) => kib(walBytes)),
      row('database, KiB', ({ databaseBytes }) => kib(databaseBytes)),
      row('objects, KiB', ({ objectBytes }) => kib(objectBytes)),
    ],
  );
  const where = `Measured on ${date}, commit ${commit}, Node.js ${node}, ${processors}, ${memoryGib} GiB, isolation "${isolation}".`;
  return `${where}\n\n${table}`;
}
