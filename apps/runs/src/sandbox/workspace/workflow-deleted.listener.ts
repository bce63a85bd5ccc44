import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';

/** Deletes the workspaces of a deleted workflow, and with them their sessions. Workers learn of it at their next heartbeat. */
@Injectable()
export class WorkflowDeletedListener {
  @EventHandler(workflowDeleted)
  async remove(deleted: Payload<typeof workflowDeleted>[], tx: Transaction): Promise<void> {
    const scopes = deleted.map(({ vault, workflow }) => ({ vaultId: vault, scope: `workflow ${workflow}` }));
    await tx.sandboxWorkspace.deleteMany({ where: { OR: scopes } });
  }
}
