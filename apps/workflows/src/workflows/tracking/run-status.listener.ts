import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished, runStarted } from '@millrace/contracts/runs/runs';
import { workflowMoved } from '@millrace/contracts/workflows/exchange';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { resumeSchedules } from '../../schedules/ticks/notify-clocks.js';
import { deleteRunValues } from '../../secrets/runs/run-variables.js';
import { lockWorkflows } from '../lock-workflow.js';

/**
 * Tracks the active runs and the last run of each workflow. Start and end of a run arrive once each, in any order, and once
 * more for each retry that lets an ended run run again, which counts as a run of its own here: the
 * first of the two inserts a row in `open_run`, the second deletes it. The lock on the workflows' rows serializes
 * batches about the same workflow; deleted workflows are skipped. It leaves `modified_at` unchanged, because a run does
 * not change its workflow. Each batch is one statement, because every run causes two events.
 */
@Injectable()
export class RunStatusListener {
  @EventHandler(runStarted)
  async countStarted(started: Payload<typeof runStarted>[], tx: Transaction): Promise<void> {
    await lockWorkflows(tx, started);
    const rows = started.map(({ vault, workflow, version, ...start }) => {
      return { run: keyOf(start), vault, workflow, version, retried: isRetried(start) };
    });
    await tx.$executeRaw`
      WITH existing AS (
          SELECT s.run, s.workflow, s.version, s.retried
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            AS s(run text, vault uuid, workflow uuid, version uuid, retried boolean)
          JOIN workflows.workflow w ON w.id = s.workflow AND w.vault_id = s.vault),
        counted AS (UPDATE workflows.version v SET run_count = run_count + k.runs
          FROM (SELECT workflow, version, count(*)::int AS runs FROM existing WHERE NOT retried
            GROUP BY workflow, version) k
          WHERE v.id = k.version AND v.workflow_id = k.workflow),
        ended AS (DELETE FROM workflows.open_run o USING existing k WHERE o.run = k.run AND o.finished RETURNING o.run),
        begun AS (INSERT INTO workflows.open_run (run, workflow_id, finished)
          SELECT run, workflow, false FROM existing WHERE run NOT IN (SELECT run FROM ended)
          RETURNING workflow_id)
      UPDATE workflows.workflow w SET active_runs = active_runs + b.runs
      FROM (SELECT workflow_id, count(*)::int AS runs FROM begun GROUP BY workflow_id) b
      WHERE w.id = b.workflow_id`;
    await publishMissedMoves(tx, started);
  }

  /** A run that was stopped before it started may have an end and no start. Its row is deleted after a week. */
  @EventHandler(runFinished)
  async countFinished(finished: Payload<typeof runFinished>[], tx: Transaction): Promise<void> {
    await lockWorkflows(tx, finished);
    const rows = finished.map(({ vault, workflow, status, finishedAt, ...end }, at) => {
      return { at, run: keyOf(end), vault, workflow, status, ended: finishedAt };
    });
    await tx.$executeRaw`
      WITH existing AS (
          SELECT f.at, f.run, f.workflow, f.status, f.ended
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f(
            at int, run text, vault uuid, workflow uuid, status text, ended timestamptz)
          JOIN workflows.workflow w ON w.id = f.workflow AND w.vault_id = f.vault),
        begun AS (DELETE FROM workflows.open_run o USING existing k WHERE o.run = k.run AND NOT o.finished
          RETURNING o.run, k.workflow),
        early AS (INSERT INTO workflows.open_run (run, workflow_id, finished)
          SELECT run, workflow, true FROM existing WHERE run NOT IN (SELECT run FROM begun)),
        expired AS (DELETE FROM workflows.open_run
          WHERE workflow_id IN (SELECT workflow FROM existing) AND finished AND heard_at < now() - interval '7 days'),
        latest AS (SELECT DISTINCT ON (workflow) workflow, status, ended FROM existing ORDER BY workflow, ended DESC, at DESC)
      UPDATE workflows.workflow w SET
        active_runs = active_runs - (SELECT count(*)::int FROM begun b WHERE b.workflow = w.id),
        last_run_status = CASE WHEN last_run_at > l.ended THEN last_run_status ELSE l.status END,
        last_run_at = greatest(last_run_at, l.ended)
      FROM latest l WHERE w.id = l.workflow`;
    await resumeSchedules(
      tx,
      finished.filter((end) => !isRetried(end)),
    );
    await deleteRunValues(
      tx,
      finished.map(({ run }) => run),
    );
  }
}

interface Revision {
  run: string;
  revision?: number | undefined;
}

const isRetried = ({ revision = 0 }: Revision): boolean => revision > 0;

/** Names one start and end of a run. */
const keyOf = (run: Revision): string => (isRetried(run) ? `${run.run}.${run.revision}` : run.run);

/**
 * Publishes a workflow's place again if a run started with an outdated one. A run requested before a move may be
 * inserted after its service handled the move; it would stay in the old space, and so would the right to see it. The
 * caller has locked the workflows' rows, so a move is either visible here or handled after the run's insert.
 */
async function publishMissedMoves(tx: Transaction, started: Payload<typeof runStarted>[]): Promise<void> {
  const moved = await tx.$queryRaw<Payload<typeof workflowMoved>[]>`
    SELECT DISTINCT w.vault_id::text AS vault, w.id::text AS workflow, w.space_id::text AS space, s.name AS "spaceName",
      w.project_id::text AS project, p.name AS "projectName"
    FROM jsonb_to_recordset(${JSON.stringify(started)}::jsonb) AS r(vault uuid, workflow uuid, space uuid, project uuid)
    JOIN workflows.workflow w ON w.id = r.workflow AND w.vault_id = r.vault
    JOIN workflows.space s ON s.id = w.space_id
    LEFT JOIN workflows.project p ON p.id = w.project_id
    WHERE r.space IS NOT NULL AND (r.space, r.project) IS DISTINCT FROM (w.space_id, w.project_id)`;
  for (const workflow of moved) tx.emit(workflowMoved, workflow);
}
