import { COPIED, offeredLoad, SERVERS, unitRates } from './simulation/model.mjs';

/** Default of DATABASE_CONNECTIONS (libs/service/src/startup/env.ts), of each service with tables. */
const DATABASE_CONNECTIONS = 10;
/** Default of QUERY_CONNECTIONS (apps/datasets/src/env.ts), which datasets has in addition. */
const QUERY_CONNECTIONS = 16;
const WITHOUT_TABLES = ['gateway', 'worker'];
const GIB = 2 ** 30;

/**
 * What a system of these sizes needs.
 * @param {import('./render-capacity.mjs').CapacityInput} input
 * @param {import('./size.mjs').Sizes} sizes
 * @returns {{ processes: { name: string, copies: number, memoryMib: number, connections: number }[], totals: { name: string, value: string }[] }}
 */
export function computeNeeds({ load, units, measured, subjobsPerDay }, sizes) {
  const memoryOf = (/** @type {string} */ name) =>
    Math.max(...measured.processes.filter((process) => process.name === name).map(({ memoryMib }) => memoryMib));
  const processes = [...COPIED, ...SERVERS].map((name) => {
    // The size of a server is a number of processors, of one process.
    const copies = SERVERS.includes(name) ? 1 : (sizes[name] ?? 1);
    const perCopy = DATABASE_CONNECTIONS + (name === 'datasets' ? QUERY_CONNECTIONS : 0);
    const hasConnections = COPIED.includes(name) && !WITHOUT_TABLES.includes(name);
    return { name, copies, memoryMib: memoryOf(name), connections: hasConnections ? copies * perCopy : 0 };
  });
  const offered = offeredLoad(load, units);
  const platform = Object.entries(offered).filter(([name]) => name !== 'slots');
  const busy = platform.reduce((sum, [name, { subjobs, requests, idle }]) => {
    const copies = processes.find((process) => process.name === name)?.copies ?? 1;
    return sum + subjobs + requests + idle * copies;
  }, 0);
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  const isolation = load.subjobsPerSecond * ((units.child.cpuMs.steps ?? 0) / 1000);
  const rates = unitRates(load);
  const daily = (/** @type {'walBytes' | 'databaseBytes' | 'objectBytes'} */ name) => {
    const perSecond =
      rates.run * units.run[name] +
      rates.fan * units.fan[name] +
      rates.step * units.step[name] +
      rates.child * units.child[name];
    return `${((perSecond / load.subjobsPerSecond) * (subjobsPerDay / GIB)).toFixed(1)} GiB`;
  };
  const totals = [
    ['processors busy at the peak, without steps', busy.toFixed(2)],
    ['processors that start and isolate steps, without their commands', isolation.toFixed(2)],
    ['slots occupied at the peak', (offered.slots?.subjobs ?? NaN).toFixed(0)],
    [
      'memory of services and servers, GiB',
      (sum(processes.map((one) => one.copies * one.memoryMib)) / 1024).toFixed(1),
    ],
    ['connections to Postgres, most', String(sum(processes.map(({ connections }) => connections)))],
    ['growth of the database a day', daily('databaseBytes')],
    ['growth of the object store a day, without large outputs', daily('objectBytes')],
    ['write-ahead log a day', daily('walBytes')],
  ];
  return { processes, totals: totals.map(([name = '', value = '']) => ({ name, value })) };
}
