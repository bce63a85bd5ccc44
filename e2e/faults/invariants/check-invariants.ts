import { setTimeout as sleep } from 'node:timers/promises';
import type { Matrix } from '../matrix/start-matrix.js';
import { findLeftovers } from './find-leftovers.js';
import { findLostItems } from './find-lost-items.js';
import { findMischarged } from './find-mischarged.js';
import { findRepeatedEffects } from './find-repeated-effects.js';
import { findStuckRuns } from './find-stuck-runs.js';
import { findWrongObjects } from './find-wrong-objects.js';
import { findWrongTimes } from './find-wrong-times.js';
import type { ExpectedRun, Invariant } from './invariant.js';

/** What must hold after each fault, when everything has settled. */
export const INVARIANTS: readonly Invariant[] = [
  { statement: 'Every run has ended as it should, or progresses', find: findStuckRuns },
  { statement: 'Each item has one recorded result', find: findLostItems },
  { statement: 'No process, slot, folder or lease is left over', find: findLeftovers },
  { statement: 'Each event has its effects once', find: findRepeatedEffects },
  { statement: 'The ledger has each attempt once, with its cost', find: findMischarged },
  { statement: 'No object is lost, and none is leaked', find: findWrongObjects },
  { statement: 'Times are in order, and none is in the future', find: findWrongTimes },
];

/** Events that were being delivered to a process that was killed are delivered again after 10 s, and jobs after 30 s. */
const SETTLE_TIMEOUT_MS = 100_000;
const INTERVAL_MS = 250;
/** Duplicates would arrive within this time. */
const QUIET_MS = 500;

/** Waits until all invariants hold. @throws Error with every violation if some do not in time */
export async function checkInvariants(
  matrix: Matrix,
  runs: readonly ExpectedRun[],
  timeoutMs = SETTLE_TIMEOUT_MS,
): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(INTERVAL_MS)) {
    const violations = await findViolations(matrix, runs);
    if (violations.length === 0) break;
    if (Date.now() > deadline) throw new Error(`These invariants are violated:\n${violations.join('\n')}`);
  }
  await sleep(QUIET_MS);
  const late = await findViolations(matrix, runs);
  if (late.length > 0) throw new Error(`These invariants were violated after they had held:\n${late.join('\n')}`);
}

export async function findViolations(matrix: Matrix, runs: readonly ExpectedRun[]): Promise<string[]> {
  const found = await Promise.all(
    INVARIANTS.map(async (invariant) =>
      (await invariant.find(matrix, runs)).map((violation) => `${invariant.statement}: ${violation}`),
    ),
  );
  return found.flat();
}
