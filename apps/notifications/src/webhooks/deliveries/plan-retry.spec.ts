import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RETRY_DELAYS_MS, planRetry, MAX_JITTER } from './plan-retry.js';

const HOUR = 3_600_000;

it('retries cover eleven attempts over about 24 hours, with delays that never get shorter', () => {
  const delays = RETRY_DELAYS_MS.map(
    (_, index) => planRetry({ number: index + 1, retryAfterMs: null, chance: 0 }) ?? 0,
  );
  expect(delays).toEqual([...delays].sort((a, b) => a - b));
  expect(delays.reduce((sum, delay) => sum + delay, 0) / HOUR).toBeCloseTo(23.7, 1);
  expect(planRetry({ number: RETRY_DELAYS_MS.length + 1, retryAfterMs: null, chance: 0 })).toBeNull();
});

const requestedDelay = fc.option(fc.integer({ min: 0, max: 1_000 * HOUR }), { nil: null });

it('a receiver can postpone the next attempt by at most the following delay, and never bring it forward', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: RETRY_DELAYS_MS.length }),
      requestedDelay,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...values) => {
        const [number, retryAfterMs, chance] = values;
        const delay = planRetry({ number, retryAfterMs, chance }) ?? -1;
        const minDelay = RETRY_DELAYS_MS[number - 1] ?? 0;
        const maxDelay = RETRY_DELAYS_MS[number] ?? minDelay;
        expect(delay).toBeGreaterThanOrEqual(Math.max(minDelay, Math.min(retryAfterMs ?? 0, maxDelay)));
        expect(delay).toBeLessThanOrEqual(Math.round(maxDelay * (1 + MAX_JITTER)));
      },
    ),
  );
});
