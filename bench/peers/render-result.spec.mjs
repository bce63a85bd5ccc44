import { describe, expect, it } from '@jest/globals';
import { describeResult, renderTable } from './render-result.mjs';
import { isCorrect, WORKLOADS } from './workloads.mjs';

const sample = (
  /** @type {string} */ workload,
  /** @type {string} */ system,
  /** @type {number} */ round,
  /** @type {number} */ seconds,
) => ({ ...{ workload, system, round, seconds }, runs: workload === 'w2' ? 100 : 1, busyMs: 0 });

const RESULT = {
  machine: { date: '2026-01-02', commit: 'abc', node: 'v24', processors: '2 × X', memoryGib: 4, fileSystem: 'ext4' },
  ...{ rounds: 3, otherProcessors: 1.25, idleProcessors: 0 },
  systems: [
    { name: 'floor', label: 'Floor' },
    { name: 'millrace', label: 'Millrace' },
    { name: 'n8n', label: 'n8n', version: '2.0.0' },
  ],
  boots: [{ system: 'n8n', seconds: 7.26, memoryMib: 949.6, processes: 9, idleBusyMs: 0 }],
  samples: [
    ...[1, 2, 4].map((seconds, index) => sample('w2', 'floor', index + 1, seconds)),
    ...[4, 2, 8].map((seconds, index) => sample('w2', 'millrace', index + 1, seconds)),
    ...[1, 10, 10, 20].map((seconds, round) => sample('w2', 'n8n', round, seconds)),
    ...[2, 2, 2].map((seconds, index) => sample('w3', 'floor', index + 1, seconds)),
    ...[3, 3, 3].map((seconds, index) => sample('w3', 'n8n', index + 1, seconds)),
  ],
  failures: [{ workload: 'w3', system: 'millrace', round: 1, message: 'the output of run 1 is wrong' }],
};

describe('the table of all systems', () => {
  it('has medians without the warm-up, ratios to the floor, failures, and no workload that was not measured', () => {
    const cells = renderTable(RESULT, WORKLOADS)
      .split('\n')
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(cells).toEqual([
      ['', 'W2, runs/s', 'W3, s', 'Boot, s', 'Memory, MB'],
      expect.any(Array),
      ['Floor', '50.0', '2.0', '–', '–'],
      ['Millrace', '25.0 (0.50)', 'failed', '–', '–'],
      ['n8n 2.0.0', '10.0 (0.20)', '3.0 (1.50)', '7.3', '950'],
    ]);
  });

  it('is followed by when and where it was measured, and by what disturbed it', () => {
    const where = '2 × X, 4 GiB, data on ext4, Node.js v24, commit abc, medians of 3.';
    expect(describeResult({ ...RESULT, otherProcessors: 0.01 })).toBe(`Measured on 2026-01-02: ${where}`);
    expect(describeResult(RESULT)).toBe(`Measured on 2026-01-02: ${where} Other programs kept 1.3 processors busy.`);
  });
});

describe('the check of outputs', () => {
  it('accepts what the steps write, and refuses anything else', () => {
    const fibonacci = '55\n'.repeat(40) + '3524578\n'.repeat(10);
    expect(isCorrect('w1', '10')).toBe(true);
    expect(isCorrect('w1', '9')).toBe(false);
    expect(isCorrect('w2', '')).toBe(false);
    expect(isCorrect('w3', 'a\n'.repeat(10_000))).toBe(false);
    expect(isCorrect('w4', fibonacci)).toBe(true);
    expect(isCorrect('w4', fibonacci.slice(3))).toBe(false);
  });
});
