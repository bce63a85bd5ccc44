import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PAUSES, planRetry, SPREAD } from './plan-retry.js';

const HOUR = 3_600_000;

it('tries eleven times over about 24 hours, at pauses that never get shorter', () => {
  const pauses = PAUSES.map((_, at) => planRetry({ number: at + 1, retryAfterMs: null, chance: 0 }) ?? 0);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses.reduce((sum, pause) => sum + pause, 0) / HOUR).toBeCloseTo(23.7, 1);
  expect(planRetry({ number: PAUSES.length + 1, retryAfterMs: null, chance: 0 })).toBeNull();
});

const asked = fc.option(fc.integer({ min: 0, max: 1_000 * HOUR }), { nil: null });

it('a receiver can put the next attempt off as far as the pause after it, and no further; never bring it forward', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: PAUSES.length }),
      asked,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...given) => {
        const [number, retryAfterMs, chance] = given;
        const pause = planRetry({ number, retryAfterMs, chance }) ?? -1;
        const shortest = PAUSES[number - 1] ?? 0;
        const longest = PAUSES[number] ?? shortest;
        expect(pause).toBeGreaterThanOrEqual(Math.max(shortest, Math.min(retryAfterMs ?? 0, longest)));
        expect(pause).toBeLessThanOrEqual(Math.round(longest * (1 + SPREAD)));
      },
    ),
  );
});
