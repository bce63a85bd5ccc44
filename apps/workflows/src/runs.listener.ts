import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished, runStarted } from '@millrace/contracts/runs/runs';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Keeps what workflows show of their runs. Start and end of a run are heard once each, in any order: the first to be
 * heard leaves a row in `open_run`, the second takes it away. Locking the workflow's row makes the events of one workflow
 * wait for each other; one that has been deleted is passed over. Nothing here touches `modified_at`: a run changes no
 * workflow. Each event is one statement, because there are two for every run.
 */
@Injectable()
export class RunsListener {
  @Listens(runStarted)
  async start({ run, vault, workflow, version }: Payload<typeof runStarted>, tx: Transaction): Promise<void> {
    await lock(tx, workflow, vault);
    await tx.$executeRaw`
      WITH known AS (SELECT id FROM workflows.workflow WHERE id = ${workflow}::uuid AND vault_id = ${vault}::uuid),
        counted AS (UPDATE workflows.version SET run_count = run_count + 1
          WHERE id = ${version}::uuid AND workflow_id IN (SELECT id FROM known)),
        ended AS (DELETE FROM workflows.open_run WHERE run = ${run} AND finished RETURNING 1),
        begun AS (INSERT INTO workflows.open_run (run, workflow_id, finished)
          SELECT ${run}, id, false FROM known WHERE NOT EXISTS (SELECT 1 FROM ended) RETURNING 1)
      UPDATE workflows.workflow SET active_runs = active_runs + 1
      WHERE id IN (SELECT id FROM known) AND EXISTS (SELECT 1 FROM begun)`;
  }

  /** A run that was stopped before it began may have an end and no start: what waited a week for one waits no longer. */
  @Listens(runFinished)
  async finish(
    { run, vault, workflow, status, finishedAt }: Payload<typeof runFinished>,
    tx: Transaction,
  ): Promise<void> {
    await lock(tx, workflow, vault);
    await tx.$executeRaw`
      WITH known AS (SELECT id FROM workflows.workflow WHERE id = ${workflow}::uuid AND vault_id = ${vault}::uuid),
        begun AS (DELETE FROM workflows.open_run WHERE run = ${run} AND NOT finished RETURNING 1),
        early AS (INSERT INTO workflows.open_run (run, workflow_id, finished)
          SELECT ${run}, id, true FROM known WHERE NOT EXISTS (SELECT 1 FROM begun)),
        forgotten AS (DELETE FROM workflows.open_run
          WHERE workflow_id IN (SELECT id FROM known) AND finished AND heard_at < now() - interval '7 days')
      UPDATE workflows.workflow SET
        active_runs = active_runs - (SELECT count(*)::int FROM begun),
        last_run_status = CASE WHEN last_run_at > ${finishedAt}::timestamptz THEN last_run_status ELSE ${status} END,
        last_run_at = greatest(last_run_at, ${finishedAt}::timestamptz)
      WHERE id IN (SELECT id FROM known)`;
  }
}

/** In a statement of its own: what the next one sees is then what the former event left. */
async function lock(tx: Transaction, workflow: string, vault: string): Promise<void> {
  await tx.$executeRaw`
    SELECT 1 FROM workflows.workflow WHERE id = ${workflow}::uuid AND vault_id = ${vault}::uuid FOR NO KEY UPDATE`;
}
