/**
 * @param {Record<string, number>} cpuMs
 * @returns {import('../measure-phase.mjs').Cost}
 */
const cost = (cpuMs) => ({
  ...{ cpuMs, commits: 0, walBytes: 0, databaseBytes: 0, objectBytes: 0, redisCommands: 0, subjobs: 0, dispatches: 0 },
});

/** Invented costs for tests. */
export const SAMPLE_UNITS = {
  idle: cost({}),
  request: cost({ gateway: 0.4, runs: 0.5, postgres: 0.3 }),
  run: cost({ gateway: 1, runs: 8, postgres: 3 }),
  fan: cost({ gateway: 1, runs: 20, postgres: 6, nats: 1 }),
  step: cost({ worker: 2, runs: 1 }),
  child: cost({ runs: 15, postgres: 2, nats: 0.5, redis: 0.2, worker: 4, steps: 20 }),
};

/** @type {import('../simulation/model.mjs').Load} */
export const SAMPLE_LOAD = {
  ...{ subjobsPerSecond: 40, requestsPerSecond: 100, childrenPerFan: 20, chainShare: 0.2 },
  ...{ stepsPerChain: 5, stepSeconds: 0.5, slotsPerWorker: 4 },
};
