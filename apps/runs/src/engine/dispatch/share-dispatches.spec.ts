import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { divideTasks, shareDispatches } from './share-dispatches.js';

const candidate = (id: number, { dispatched = 0, parallelism = 100, isShort = true } = {}) => ({
  id: BigInt(id),
  dispatched,
  parallelism,
  isShort,
});

describe('shareDispatches', () => {
  it('gives each run one dispatch in turn', () => {
    expect(shareDispatches([candidate(1), candidate(2)], 3, 4)).toEqual(
      new Map([
        [1n, 2],
        [2n, 1],
      ]),
    );
  });

  it('never gives a run more dispatches than its parallelism', () => {
    const runs = [candidate(1, { dispatched: 1, parallelism: 2 }), candidate(2, { parallelism: 1 })];
    expect(shareDispatches(runs, 10, 8)).toEqual(
      new Map([
        [1n, 1],
        [2n, 1],
      ]),
    );
  });

  it('makes no dispatch wait behind long tasks', () => {
    expect(shareDispatches([candidate(1, { isShort: false })], 8, 4)).toEqual(new Map([[1n, 4]]));
    const runs = [candidate(1, { dispatched: 4, isShort: false }), candidate(2)];
    expect(shareDispatches(runs, 4, 4)).toEqual(new Map([[2n, 4]]));
  });

  it('shares all free dispatches and no more, if the runs can use them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 40 }), (runs, free) => {
        const shares = shareDispatches(
          Array.from({ length: runs }, (_, id) => candidate(id)),
          free,
          50,
        );
        expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBe(free);
      }),
    );
  });
});

describe('divideTasks', () => {
  const tasks = (segment: number, number: number) =>
    Array.from({ length: number }, (_, index) => ({ run_id: 1n, segment, index, attempt: 1 }));

  it('spreads tasks evenly over the share instead of packing them into one dispatch', () => {
    expect(divideTasks(tasks(0, 8), 4, () => 50).map((part) => part.tasks.length)).toEqual([2, 2, 2, 2]);
  });

  it('never puts tasks of different segments into one dispatch', () => {
    const parts = divideTasks([...tasks(0, 3), ...tasks(1, 3)], 4, () => 2);
    for (const part of parts)
      expect(new Set(part.tasks.map(({ segment }) => segment))).toEqual(new Set([part.segment]));
  });

  it('makes no more dispatches than the share, and puts no task into two', () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 50 }),
        (number, share, batchSize) => {
          const parts = divideTasks(tasks(0, number), share, () => batchSize);
          expect(parts.length).toBeLessThanOrEqual(share);
          const indexes = parts.flatMap((part) => part.tasks.map(({ index }) => index));
          expect(new Set(indexes).size).toBe(indexes.length);
          for (const part of parts) expect(part.tasks.length).toBeLessThanOrEqual(batchSize);
        },
      ),
    );
  });
});
