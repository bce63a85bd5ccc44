import type { Transaction } from '@millrace/persistence/database';
import type { LockedRun } from '../transaction/locked-run.js';

/** Makes the tasks of these segments ready again whose dispatch no worker has claimed. A worker that receives it ignores it. */
export async function requeueUnclaimed(tx: Transaction, run: LockedRun, segments: readonly number[]): Promise<void> {
  await tx.$executeRaw`
    WITH deleted AS (DELETE FROM runs.dispatch
      WHERE run_id = ${run.id} AND worker IS NULL AND segment = ANY(${[...segments]}::int[]) RETURNING id)
    UPDATE runs.task SET state = 'READY', dispatch = NULL
    WHERE run_id = ${run.id} AND dispatch IN (SELECT id FROM deleted)`;
}
