import { describe, expect, it } from '@jest/globals';
import { exponential, percentile, seededRandom } from '../../lib/random.mjs';
import { SAMPLE_LOAD, SAMPLE_UNITS } from '../testing/sample-units.mjs';
import { EventQueue } from './event-queue.mjs';
import { offeredLoad } from './model.mjs';
import { simulate } from './simulate.mjs';
import { Station } from './station.mjs';

/**
 * The probability that an arrival waits in an M/M/c queue (Erlang, 1917), by the recursion of the formula B.
 * @param {number} servers
 * @param {number} offered arrival rate times mean service time
 */
function erlangC(servers, offered) {
  let blocked = 1;
  for (let count = 1; count <= servers; count += 1) blocked = (offered * blocked) / (count + offered * blocked);
  const use = offered / servers;
  return blocked / (1 - use + use * blocked);
}

/**
 * @param {number} servers
 * @param {number} use
 * @returns {Station} after 100,000 arrivals with a mean service time of 1 s
 */
function runQueue(servers, use) {
  const [clock, random] = [new EventQueue(), seededRandom(7)];
  const station = new Station(clock, servers);
  const arrive = () => {
    station.serve(exponential(random, 1), () => {});
    clock.after(exponential(random, 1 / (servers * use)), arrive);
  };
  clock.after(0, arrive);
  clock.runUntil(100_000 / (servers * use));
  return station;
}

/**
 * @param {number} value
 * @param {number} expected
 * @param {number} tolerance share of `expected`
 */
function expectNear(value, expected, tolerance) {
  expect(value).toBeGreaterThanOrEqual(expected * (1 - tolerance));
  expect(value).toBeLessThanOrEqual(expected * (1 + tolerance));
}

describe('an event queue', () => {
  it('runs events in the order of their times, and equal ones in the order of their addition', () => {
    const clock = new EventQueue();
    const random = seededRandom(3);
    /** @type {string[]} */
    const order = [];
    const times = Array.from({ length: 200 }, () => Math.floor(random() * 20));
    for (const [index, time] of times.entries()) clock.after(time, () => order.push(`${time}/${index}`));
    clock.runUntil(15);
    const expected = times
      .map((time, index) => ({ time, index }))
      .filter(({ time }) => time < 15)
      .sort((a, b) => a.time - b.time || a.index - b.index);
    expect(order).toEqual(expected.map(({ time, index }) => `${time}/${index}`));
    expect(clock.now).toBe(15);
  });
});

describe('a station with Poisson arrivals and exponential service', () => {
  it.each([
    [1, 0.5],
    [1, 0.8],
    [4, 0.7],
    [16, 0.8],
  ])('waits as the Erlang C formula says, with %i servers of which %f are busy', (servers, use) => {
    const station = runQueue(servers, use);
    const waiting = erlangC(servers, servers * use);
    const share = station.waits.filter((wait) => wait > 0).length / station.waits.length;
    const mean = station.waits.reduce((sum, wait) => sum + wait, 0) / station.waits.length;
    expectNear(share, waiting, 0.1);
    expectNear(mean, waiting / (servers * (1 - use)), 0.1);
    expectNear(station.busySeconds / servers / station.clock.now, use, 0.02);
    // The wait of those who wait is exponential: P(wait > t) = C · e^(-(c - a)·t).
    const p99 = Math.log(waiting / 0.01) / (servers * (1 - use));
    const sorted = station.waits.toSorted((a, b) => a - b);
    expectNear(percentile(sorted, 0.99), p99, 0.1);
  });

  it('serves in the order of arrival', () => {
    const clock = new EventQueue();
    const station = new Station(clock, 1);
    /** @type {number[]} */
    const served = [];
    for (let index = 0; index < 5_000; index += 1) station.serve(1, () => served.push(index));
    clock.runUntil(5_001);
    expect(served).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
  });
});

const SIZES = { gateway: 1, runs: 1, worker: 60, postgres: 2 };
const run = (more = {}) =>
  simulate({ load: SAMPLE_LOAD, sizes: SIZES, units: SAMPLE_UNITS, seconds: 100, seed: 1, ...more });

describe('a simulation', () => {
  it('has the same result for the same seed, and another one for another seed', () => {
    expect(run()).toEqual(run());
    expect(run({ seed: 2 })).not.toEqual(run());
  });

  it('occupies every process as much as its costs say', () => {
    const offered = offeredLoad(SAMPLE_LOAD, SAMPLE_UNITS);
    for (const { name, servers, use } of run().stations) {
      if (name === 'slots') continue; // These also wait for the engine.
      const expected = (offered[name]?.subjobs ?? NaN) + (offered[name]?.requests ?? NaN);
      expectNear(use * servers, expected, 0.15);
    }
  });

  it('has shorter waits with more copies of its busiest process, and longer ones with too few slots', () => {
    const { waitP99 } = run().subjobs;
    expect(run({ sizes: { ...SIZES, runs: 3 } }).subjobs.waitP99).toBeLessThan(waitP99);
    expect(run({ sizes: { ...SIZES, worker: 5 } }).subjobs.waitP99).toBeGreaterThan(waitP99);
  });
});
