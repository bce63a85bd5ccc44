import fc from 'fast-check';
import type { PlanName } from '@millrace/contracts/billing/plans';

/** One step of a history. `vault` and `month` are indexes into the test's vaults and months. */
export type HistoryChange =
  | { kind: 'usage'; attempts: { vault: number; subjob: number; attempt: number; cpuMs: number; month: number }[] }
  | { kind: 'plan'; vault: number; plan: PlanName }
  | { kind: 'limit'; vault: number; limit: number | null; stopRunning: boolean }
  | { kind: 'month' };

export const VAULTS = 3;

const vault = fc.nat(VAULTS - 1);
/** From 0 to more than the credits of the smallest plan. */
const cpuMs = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 5_000, noNaN: true }),
  fc.integer({ max: 7_000_000, min: 0 }),
);
// Few subjobs, so that attempts are often reported repeatedly.
const attempt = fc.record({
  vault,
  subjob: fc.nat(40),
  attempt: fc.integer({ min: 1, max: 2 }),
  cpuMs,
  month: fc.nat(2),
});

export const randomHistory: fc.Arbitrary<HistoryChange[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('usage' as const), attempts: fc.array(attempt, { maxLength: 8 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('plan' as const),
        vault,
        plan: fc.constantFrom<PlanName>('free', 'team', 'enterprise'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('limit' as const),
        vault,
        limit: fc.option(fc.oneof(fc.nat(20), fc.nat(7_000))),
        stopRunning: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('month' as const) }) },
  ),
  { minLength: 1, maxLength: 25 },
);
