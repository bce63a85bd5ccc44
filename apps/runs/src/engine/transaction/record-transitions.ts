import type { SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { Transaction } from '@millrace/persistence/database';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import type { ChangedSubjob, LockedRun } from './locked-run.js';
import { flushChanges } from './write-runs.js';

/** Status changes that are kept in memory. Those of a million subjobs would need half a gigabyte. */
const MAX_KEPT_CHANGES = 20_000;

/** Records that subjobs, however many, have got a status. */
export async function recordTransitions(
  tx: Transaction,
  run: LockedRun,
  subjobs: readonly (ChangedSubjob & { from: SubjobStatus })[],
  to: SubjobStatus,
): Promise<void> {
  for (let first = 0; first < subjobs.length; first += MAX_KEPT_CHANGES) {
    const batch = subjobs.slice(first, first + MAX_KEPT_CHANGES);
    await forEachYielding(batch, (subjob) => run.recordTransition(subjob, subjob.from, to));
    if (run.changes.length >= MAX_KEPT_CHANGES) await flushChanges(tx, run);
  }
}
