import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { divideTasks, shareDispatches } from './share-dispatches.js';

interface Options {
  dispatched?: number;
  parallelism?: number;
  isShort?: boolean;
  vault?: string;
  priority?: number;
  vaultDispatched?: number;
  vaultLimit?: number;
  ready?: number;
}

const candidate = (
  id: number,
  {
    dispatched = 0,
    parallelism = 100,
    isShort = true,
    vault = 'v',
    priority = 0,
    vaultDispatched = dispatched,
    vaultLimit = 1_000,
    ready = 1_000,
  }: Options = {},
) => ({
  id: BigInt(id),
  vault,
  priority,
  vaultDispatched,
  vaultLimit,
  ready,
  dispatched,
  elsewhere: 0,
  parallelism,
  isShort,
});

const limits = (slots: number) => ({ slots, route: { slots, depth: 2 as const } });

describe('shareDispatches', () => {
  it('gives each run one dispatch in turn', () => {
    expect(shareDispatches([candidate(1), candidate(2)], 3, limits(4))).toEqual(
      new Map([
        [1n, 2],
        [2n, 1],
      ]),
    );
  });

  it('never gives a run more dispatches than its parallelism', () => {
    const runs = [candidate(1, { dispatched: 1, parallelism: 2 }), candidate(2, { parallelism: 1 })];
    expect(shareDispatches(runs, 10, limits(8))).toEqual(
      new Map([
        [1n, 1],
        [2n, 1],
      ]),
    );
  });

  it('makes no dispatch wait behind long tasks', () => {
    expect(shareDispatches([candidate(1, { isShort: false })], 8, limits(4))).toEqual(new Map([[1n, 4]]));
    const runs = [candidate(1, { dispatched: 4, isShort: false }), candidate(2)];
    expect(shareDispatches(runs, 4, limits(4))).toEqual(new Map([[2n, 4]]));
  });

  it('shares dispatches among vaults, however many runs each has', () => {
    const runs = [...[1, 2, 3].map((id) => candidate(id, { vault: 'large' })), candidate(4, { vault: 'small' })];
    const shares = shareDispatches(runs, 4, limits(4));
    expect(shares.get(4n)).toBe(2);
    expect([1n, 2n, 3n].map((id) => shares.get(id) ?? 0)).toEqual([1, 1, 0]);
  });

  it('counts the dispatches of runs that do not compete towards their vault', () => {
    const runs = [candidate(1, { vault: 'busy', vaultDispatched: 3 }), candidate(2, { vault: 'idle' })];
    expect(shareDispatches(runs, 3, limits(8))).toEqual(new Map([[2n, 3]]));
  });

  it('gives a run no more dispatches than it has ready tasks', () => {
    const runs = [candidate(1, { ready: 1 }), candidate(2)];
    expect([...shareDispatches(runs, 6, limits(8)).values()]).toEqual([1, 5]);
  });

  it('never gives a vault more dispatches than its limit', () => {
    const runs = [1, 2].map((id) => candidate(id, { vault: 'a', vaultDispatched: 1, vaultLimit: 3 }));
    expect([...shareDispatches(runs, 9, limits(8)).values()]).toEqual([1, 1]);
  });

  it('serves runs with a higher priority first, and others only if it leaves room', () => {
    const runs = [candidate(1), candidate(2, { priority: 1, parallelism: 2 }), candidate(3, { priority: -1 })];
    expect(shareDispatches(runs, 3, limits(8))).toEqual(
      new Map([
        [2n, 2],
        [1n, 1],
      ]),
    );
  });

  it('does not let the priority of a run count against other vaults', () => {
    const runs = [candidate(1, { vault: 'a', priority: 10 }), candidate(2, { vault: 'b' })];
    expect([...shareDispatches(runs, 4, limits(8)).values()]).toEqual([2, 2]);
  });

  it('shares all free dispatches and no more, if the runs can use them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 40 }), (runs, free) => {
        const shares = shareDispatches(
          Array.from({ length: runs }, (_, id) => candidate(id)),
          free,
          limits(50),
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
