import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { getWorkflowLocation, workflowMoved } from '@millrace/contracts/workflows/exchange';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { moveCachedResults } from '../cache/move-cached.js';

/**
 * Takes a workflow's runs along when it moves: who may see them is decided by their space. Two moves may be heard in any
 * order, so the event only says that there is something to ask; the lock makes whoever hears of the same workflow at the
 * same moment ask after the other has committed.
 */
@Injectable()
export class WorkflowMovedListener {
  constructor(private readonly rpc: RpcClient) {}

  @EventHandler(workflowMoved)
  async follow(moved: Payload<typeof workflowMoved>[], tx: Transaction): Promise<void> {
    const vaults = new Map(moved.map(({ workflow, vault }) => [workflow, vault]));
    for (const [workflow, vault] of [...vaults].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`workflow moved ${workflow}`}, 0))`;
      const origin = { caller: null, requestId: randomUUID() };
      const { place } = await this.rpc.call(getWorkflowLocation, { vault, workflow }, origin);
      if (!place) continue;
      const { space: spaceId, spaceName, project: projectId, projectName } = place;
      await tx.run.updateMany({
        where: { workflowId: workflow, vaultId: vault },
        data: { spaceId, spaceName, projectId, projectName },
      });
      await moveCachedResults(tx, workflow);
    }
  }
}
