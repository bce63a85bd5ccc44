import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished, runStarted } from '@millrace/contracts/runs/runs';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Keeps what workflows show of their runs. Start and end of a run are heard once each, in any order: the first to be
 * heard leaves a row in `open_run`, the second takes it away. Nothing here touches `modified_at`: a run changes no workflow.
 */
@Injectable()
export class RunsListener {
  @Listens(runStarted)
  async start({ run, vault, workflow, version }: Payload<typeof runStarted>, tx: Transaction): Promise<void> {
    if (!(await lock(tx, workflow, vault))) return;
    await tx.$executeRaw`
      UPDATE workflows.version SET run_count = run_count + 1
      WHERE id = ${version}::uuid AND workflow_id = ${workflow}::uuid`;
    const ended = await tx.openRun.deleteMany({ where: { run, finished: true } });
    if (ended.count === 0) await tx.openRun.create({ data: { run, workflowId: workflow, finished: false } });
    await recount(tx, workflow);
  }

  @Listens(runFinished)
  async finish(
    { run, vault, workflow, status, finishedAt }: Payload<typeof runFinished>,
    tx: Transaction,
  ): Promise<void> {
    if (!(await lock(tx, workflow, vault))) return;
    const begun = await tx.openRun.deleteMany({ where: { run, finished: false } });
    if (begun.count === 0) await awaitStart(tx, run, workflow);
    await recount(tx, workflow);
    await tx.$executeRaw`
      UPDATE workflows.workflow SET last_run_status = ${status}, last_run_at = ${finishedAt}::timestamptz
      WHERE id = ${workflow}::uuid AND (last_run_at IS NULL OR last_run_at <= ${finishedAt}::timestamptz)`;
  }
}

/** Makes events of one workflow wait for each other. @returns false where it has been deleted */
async function lock(tx: Transaction, workflow: string, vault: string): Promise<boolean> {
  const locked = await tx.$executeRaw`
    SELECT 1 FROM workflows.workflow WHERE id = ${workflow}::uuid AND vault_id = ${vault}::uuid FOR NO KEY UPDATE`;
  return locked === 1;
}

/** A run that was stopped before it began has an end and no start: what waited a week for one waits no longer. */
async function awaitStart(tx: Transaction, run: string, workflow: string): Promise<void> {
  await tx.openRun.create({ data: { run, workflowId: workflow, finished: true } });
  await tx.$executeRaw`
    DELETE FROM workflows.open_run
    WHERE workflow_id = ${workflow}::uuid AND finished AND heard_at < now() - interval '7 days'`;
}

async function recount(tx: Transaction, workflow: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE workflows.workflow
    SET active_runs = (SELECT count(*) FROM workflows.open_run o WHERE o.workflow_id = workflow.id AND NOT o.finished)
    WHERE id = ${workflow}::uuid`;
}
