import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cut, share } from './dispatch-tasks.js';

const run = (id: number, out = 0, parallelism = 100, isShort = true) => ({ id: BigInt(id), out, parallelism, isShort });

describe('free slots', () => {
  it('go round the runs', () => {
    expect(share([run(1), run(2)], 3, 4)).toEqual(
      new Map([
        [1n, 2],
        [2n, 1],
      ]),
    );
  });

  it('never give a run more than its parallelism', () => {
    expect(share([run(1, 1, 2), run(2, 0, 1)], 10, 8)).toEqual(
      new Map([
        [1n, 1],
        [2n, 1],
      ]),
    );
  });

  it('are not filled up behind long tasks', () => {
    expect(share([run(1, 0, 100, false)], 8, 4)).toEqual(new Map([[1n, 4]]));
    expect(share([run(1, 4, 100, false), run(2)], 4, 4)).toEqual(new Map([[2n, 4]]));
  });

  it('are all given out, and no more, where runs can take them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 40 }), (runs, free) => {
        const shares = share(
          Array.from({ length: runs }, (_, id) => run(id)),
          free,
          50,
        );
        expect([...shares.values()].reduce((sum, one) => sum + one, 0)).toBe(free);
      }),
    );
  });
});

describe('ready tasks', () => {
  const tasks = (segment: number, number: number) =>
    Array.from({ length: number }, (_, index) => ({ run_id: 1n, segment, index, attempt: 1 }));

  it('are spread evenly over the share rather than packed into one dispatch', () => {
    expect(cut(tasks(0, 8), 4, () => 50).map((part) => part.tasks.length)).toEqual([2, 2, 2, 2]);
  });

  it('of different segments never travel together', () => {
    const parts = cut([...tasks(0, 3), ...tasks(1, 3)], 4, () => 2);
    for (const part of parts)
      expect(new Set(part.tasks.map(({ segment }) => segment))).toEqual(new Set([part.segment]));
  });

  it('make no more dispatches than the share, and none twice', () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 50 }),
        (number, most, batch) => {
          const parts = cut(tasks(0, number), most, () => batch);
          expect(parts.length).toBeLessThanOrEqual(most);
          const indexes = parts.flatMap((part) => part.tasks.map(({ index }) => index));
          expect(new Set(indexes).size).toBe(indexes.length);
          for (const part of parts) expect(part.tasks.length).toBeLessThanOrEqual(batch);
        },
      ),
    );
  });
});
