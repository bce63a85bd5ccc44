import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { getWorkflowLocation, workflowMoved } from '@millrace/contracts/workflows/exchange';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { moveCachedResults } from '../cache/move-cached.js';

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
      const origin = { caller: null, requestId: randomUUID() };
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
