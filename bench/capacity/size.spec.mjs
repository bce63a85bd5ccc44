import { describe, expect, it } from '@jest/globals';
import { offeredLoad, PROCESSES, unitRates } from './simulation/model.mjs';
import { listLimits, MAX_USE, sizesFor } from './size.mjs';
import { SAMPLE_LOAD, SAMPLE_UNITS } from './testing/sample-units.mjs';

const [load, units] = [SAMPLE_LOAD, SAMPLE_UNITS];
const useOf = (/** @type {string} */ name, /** @type {typeof load} */ of) => {
  const { subjobs, requests } = offeredLoad(of, units)[name] ?? { subjobs: NaN, requests: NaN };
  return subjobs + requests;
};

describe('a load', () => {
  it('has as many subjobs as it says', () => {
    const { run, fan, step, child } = unitRates(load);
    // The first step of a chain counts as a child; a fan has two more steps.
    expect(child + step + 2 * fan).toBeCloseTo(load.subjobsPerSecond, 9);
    expect(run * load.stepsPerChain).toBeCloseTo(load.subjobsPerSecond * load.chainShare, 9);
  });
});

describe('the first limit', () => {
  it('is reached by the load that it names, and moves with another copy', () => {
    const [first] = listLimits({ load, units }, {});
    const atLimit = { ...load, subjobsPerSecond: load.subjobsPerSecond * (first?.factor ?? NaN) };
    expect(first?.name).toBe('runs');
    expect(useOf('runs', atLimit)).toBeCloseTo(MAX_USE, 9);
    const [next] = listLimits({ load, units }, { runs: 2 });
    expect(next?.factor).toBeGreaterThan(first?.factor ?? NaN);
  });
});

describe('the sizes for a load', () => {
  it('are the smallest, of at least two copies, that keep every process below the limit', () => {
    const sizes = sizesFor({ load: { ...load, subjobsPerSecond: 400 }, units });
    for (const name of PROCESSES.filter((process) => process !== 'worker')) {
      const [use, size] = [useOf(name, { ...load, subjobsPerSecond: 400 }), sizes[name] ?? NaN];
      expect(use / size).toBeLessThanOrEqual(MAX_USE);
      if (size > 2) expect(use / (size - 1)).toBeGreaterThan(MAX_USE);
    }
    expect(sizes.auth).toBe(2);
    expect(sizes.redis).toBe(1);
    // 400 subjobs of 0.52 s occupy 208 slots, four on each worker.
    expect(sizes.worker).toBe(Math.ceil(208 / MAX_USE / 4));
  });
});
