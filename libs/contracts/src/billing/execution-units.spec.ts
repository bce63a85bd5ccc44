import { describe, expect, it } from '@jest/globals';
import { executionUnits } from './execution-units.js';

describe('execution units', () => {
  it.each([
    [0.2, 1],
    [999.9, 1],
    [1_000, 1],
    [1_000.1, 2],
    [3_600_000, 3_600],
  ])('charges %d ms of CPU time as %d', (cpuMs, units) => {
    expect(executionUnits(cpuMs)).toBe(units);
  });

  it('charges nothing for what did not run', () => {
    expect(executionUnits(0)).toBe(0);
    expect(executionUnits(-1)).toBe(0);
  });
});
