import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { getWorkflowLocation, workflowMoved } from '@millrace/contracts/workflows/exchange';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Moves the runs of a moved workflow to its new space, because the space decides who may see them. Events of two moves may
 * arrive in any order, so the handler reads the current location instead of trusting the event. The lock makes a second
 * handler of the same workflow wait until the first one has committed, and read the location after that.
 */
@Injectable()
export class WorkflowMovedListener {
  constructor(private readonly rpc: RpcClient) {}

  @EventHandler(workflowMoved)
  async moveRuns(moved: Payload<typeof workflowMoved>[], tx: Transaction): Promise<void> {
    const vaults = new Map(moved.map(({ workflow, vault }) => [workflow, vault]));
    for (const [workflow, vault] of [...vaults].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`workflow moved ${workflow}`}, 0))`;
      const origin = { caller: null };
      const { place: location } = await this.rpc.call(getWorkflowLocation, { vault, workflow }, origin);
      if (!location) continue;
      const { space: spaceId, spaceName, project: projectId, projectName } = location;
      await tx.run.updateMany({
        where: { workflowId: workflow, vaultId: vault },
        data: { spaceId, spaceName, projectId, projectName },
      });
      await moveCachedResults(tx, workflow);
    }
  }
}

/**
 * Moves the cached results of a workflow's runs to the current space of the runs, because only users who may see a run may
 * reuse its results. If the space already has a result for a key, that one stays.
 */
async function moveCachedResults(tx: Transaction, workflow: string): Promise<void> {
  await tx.$executeRaw`
    WITH moved AS (
      DELETE FROM runs.cache_entry e USING runs.run r
      WHERE e.run_id = r.id AND r.workflow_id = ${workflow}::uuid AND e.space_id <> r.space_id
      RETURNING r.space_id, e.key, e.run_id, e.subjob_id, e.workflow_id, e.node, e.exit_code, e.message, e.outputs,
        e.stdout, e.stderr, e.created_at, e.last_used_at)
    INSERT INTO runs.cache_entry (space_id, key, run_id, subjob_id, workflow_id, node, exit_code, message, outputs,
      stdout, stderr, created_at, last_used_at)
    SELECT * FROM moved ORDER BY space_id, key ON CONFLICT (space_id, key) DO NOTHING`;
}
