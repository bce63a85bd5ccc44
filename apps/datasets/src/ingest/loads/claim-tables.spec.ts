import { expect, it } from '@jest/globals';
import { isClaimDue } from './claim-tables.js';

const MINUTE_MS = 60_000;

it.each([
  ['at the start of a process', 0, Infinity, true],
  ['in each sweep of the first hour', 59 * MINUTE_MS, MINUTE_MS / 2, true],
  ['later not in each sweep', 61 * MINUTE_MS, MINUTE_MS / 2, false],
  ['later after ten minutes', 61 * MINUTE_MS, 10 * MINUTE_MS, true],
])(
  'tables of an earlier release are looked for %s: %d ms after the start',
  (_when, startedMsAgo, claimedMsAgo, isDue) => {
    expect(isClaimDue(startedMsAgo, claimedMsAgo)).toBe(isDue);
  },
);
