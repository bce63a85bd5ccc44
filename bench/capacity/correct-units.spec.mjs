import { describe, expect, it } from '@jest/globals';
import { correctUnits } from './correct-units.mjs';
import { predictUse } from './predict-use.mjs';
import { SAMPLE_UNITS } from './testing/sample-units.mjs';

const request = (/** @type {string} */ kind, /** @type {number} */ count) => ({
  ...{ kind, count, perSecond: count / 100, p50: 1, p99: 1, floorP50: 1, errors: {} },
});
const process = (/** @type {string} */ name, /** @type {number} */ copy, /** @type {number} */ cpuMs) => ({
  ...{ name, copy, cpuMs, memoryMib: 1, lagP50Ms: null, lagP99Ms: null },
});
const counters = { commits: 0, walBytes: 0, databaseBytes: 0, objectBytes: 0, redisCommands: 0, connections: 0 };
const MEASURED = {
  setting: {
    ...{ date: '', commit: '', node: '', processors: '', memoryGib: 1 },
    ...{ users: 1, seconds: 100, isolation: 'off', machineBusyMs: 0 },
  },
  requests: [request('GET runs', 1_000), request('POST run', 100), request('watch a run to its end', 100)],
  // Two copies of the gateway use 1 s in 100 s; the runs service uses less than its costs.
  processes: [process('gateway', 1, 600), process('gateway', 2, 400), process('runs', 1, 10)],
  stores: { ...counters, subjobs: 0 },
};

describe('costs that are corrected by a load test', () => {
  it('predict its processor time', () => {
    const [gateway] = predictUse(MEASURED, SAMPLE_UNITS);
    // 10 requests/s of 0.4 ms; starts of runs and watches are part of runs.
    expect(gateway).toEqual({ name: 'gateway', predicted: expect.closeTo(0.004, 9), used: 0.01 });
    const corrected = correctUnits(SAMPLE_UNITS, MEASURED);
    expect(predictUse(MEASURED, corrected)[0]?.predicted).toBeCloseTo(0.01, 9);
    expect(corrected.run.cpuMs.gateway).toBeCloseTo(2.5, 9);
  });

  it('are not lower than the measured costs', () => {
    expect(correctUnits(SAMPLE_UNITS, MEASURED).run.cpuMs.runs).toBe(SAMPLE_UNITS.run.cpuMs.runs);
  });
});
