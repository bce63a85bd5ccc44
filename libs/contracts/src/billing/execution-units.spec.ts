import { describe, expect, it } from '@jest/globals';
import { executionUnits, fromCredits, toCredits } from './execution-units.js';

describe('execution units', () => {
  it.each([
    [0.2, 1],
    [999.9, 1],
    [1_000, 1],
    [1_000.1, 2],
    [3_600_000, 3_600],
  ])('charge %d ms of CPU time as %d', (cpuMs, units) => {
    expect(executionUnits(cpuMs)).toBe(units);
  });

  it('charge nothing if no CPU time was used', () => {
    expect(executionUnits(0)).toBe(0);
    expect(executionUnits(-1)).toBe(0);
  });

  it('never exceed what a ledger entry can store', () => {
    expect(executionUnits(1e300)).toBe(2 ** 31 - 1);
  });
});

describe('credits of a vault', () => {
  it.each([
    [0, 0],
    [1, 0.02],
    [60, 1],
    [5_999, 99.98],
    [6_000, 100],
  ])('show %d execution units as %d', (units, credits) => {
    expect(toCredits(units)).toBe(credits);
  });

  it('convert to execution units exactly', () => {
    expect(fromCredits(100)).toBe(6_000);
  });
});
