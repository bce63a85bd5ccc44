import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { disableFilteredWebhooks } from '../webhooks/settings/disable-filtered-webhooks.js';

@Injectable()
export class WorkflowDeletedListener {
  @EventHandler(workflowDeleted)
  async deleteFollows(deleted: Payload<typeof workflowDeleted>[], tx: Transaction): Promise<void> {
    await tx.follow.deleteMany({ where: { workflowId: { in: deleted.map(({ workflow }) => workflow) } } });
    const workflows = deleted.map(({ vault, workflow: id }) => ({ vault, id }));
    await disableFilteredWebhooks(tx, 'workflow_id', workflows);
  }
}
