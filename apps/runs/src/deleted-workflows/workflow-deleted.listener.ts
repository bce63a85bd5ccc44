import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Handles the deletion of workflows, also with their space. */
@Injectable()
export class WorkflowDeletedListener {
  /**
   * Records the workflows, because their runs have other rules. Deletes their workspaces, and with them their sessions;
   * workers learn of it at their next heartbeat.
   */
  @EventHandler(workflowDeleted)
  async handle(deleted: Payload<typeof workflowDeleted>[], tx: Transaction): Promise<void> {
    const ids = [...new Set(deleted.map(({ workflow }) => workflow))].sort();
    await tx.deletedWorkflow.createMany({ data: ids.map((workflowId) => ({ workflowId })), skipDuplicates: true });
    const scopes = deleted.map(({ vault, workflow }) => ({ vaultId: vault, scope: `workflow ${workflow}` }));
    await tx.sandboxWorkspace.deleteMany({ where: { OR: scopes } });
  }
}
