import type { Payload } from '@millrace/contracts/kit/event';
import type { runStarted } from '@millrace/contracts/runs/runs';
import { workflowMoved } from '@millrace/contracts/workflows/exchange';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Publishes a workflow's place again if a run started with an outdated one. A run requested before a move may be
 * inserted after its service handled the move; it would stay in the old space, and so would the right to see it. The
 * caller has locked the workflows' rows, so a move is either visible here or handled after the run's insert.
 */
export async function publishMissedMoves(tx: Transaction, started: Payload<typeof runStarted>[]): Promise<void> {
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
