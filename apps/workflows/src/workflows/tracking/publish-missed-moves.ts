import type { Payload } from '@millrace/contracts/kit/event';
import type { runStarted } from '@millrace/contracts/runs/runs';
import { workflowMoved } from '@millrace/contracts/workflows/exchange';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Says again where workflows are whose runs began elsewhere: one that was asked for before a move and written after the
 * move was heard would stay in the former space, and with it the right to see it. Whoever calls this holds the workflows'
 * rows, so a move is either seen here or heard after the run is there.
 */
export async function publishMissedMoves(tx: Transaction, started: Payload<typeof runStarted>[]): Promise<void> {
  const strays = await tx.$queryRaw<Payload<typeof workflowMoved>[]>`
    SELECT DISTINCT w.vault_id::text AS vault, w.id::text AS workflow, w.space_id::text AS space, s.name AS "spaceName",
      w.project_id::text AS project, p.name AS "projectName"
    FROM jsonb_to_recordset(${JSON.stringify(started)}::jsonb) AS r(vault uuid, workflow uuid, space uuid, project uuid)
    JOIN workflows.workflow w ON w.id = r.workflow AND w.vault_id = r.vault
    JOIN workflows.space s ON s.id = w.space_id
    LEFT JOIN workflows.project p ON p.id = w.project_id
    WHERE r.space IS NOT NULL AND (r.space, r.project) IS DISTINCT FROM (w.space_id, w.project_id)`;
  for (const stray of strays) tx.emit(workflowMoved, stray);
}
