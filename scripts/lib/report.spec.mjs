import { describe, expect, it } from '@jest/globals';
import { formatDuration, phase } from './report.mjs';

describe('formatDuration', () => {
  it.each([
    [40, '0.0 s'],
    [1_250, '1.3 s'],
    [9_960, '10 s'],
    [61_000, '1 min 1 s'],
    [3_660_000, '1 h 1 min'],
    [200_000_000, '2 d 7 h'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('phase', () => {
  it('reports one line if the work succeeds, and none if it fails', async () => {
    /** @type {string[]} */
    const lines = [];
    const report = (/** @type {string} */ line) => void lines.push(line);
    expect(await phase(report, 'build', async () => 7)).toBe(7);
    await expect(phase(report, 'broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^ {2}build +0\.0 s$/);
  });
});
