import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { requeueUnclaimed } from '../dispatch/requeue-unclaimed.js';
import type { LockedRun } from '../transaction/locked-run.js';

/**
 * Pauses a run. Tasks that no worker has claimed are ready again, and wait in Postgres; what workers have claimed ends as
 * usual. A worker that receives a deleted dispatch ignores it.
 * @throws ValidationError if the run is ending or has ended
 */
export async function pauseRun(tx: Transaction, run: LockedRun, user: string): Promise<void> {
  if (run.isEnding) {
    const state = run.finishedAt === null ? 'is stopping' : 'has ended';
    throw new ValidationError({
      'params.id': `names run ${run.id}, which ${state}; only a run under way can be paused`,
    });
  }
  if (run.pausedAt !== null) return;
  run.pause(user);
  await requeueUnclaimed(
    tx,
    run,
    run.plan.plan.segments.map(({ index }) => index),
  );
}
