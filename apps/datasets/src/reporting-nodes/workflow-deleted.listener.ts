import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { recordDeletedPlaces } from '../spaces/deleted-places.js';

/** Deletes the reporting nodes and detected tables of deleted workflows. Rows that they loaded stay. */
@Injectable()
export class WorkflowDeletedListener {
  @EventHandler(workflowDeleted)
  async deleteReferences(deleted: Payload<typeof workflowDeleted>[], tx: Transaction): Promise<void> {
    const ids = deleted.map(({ workflow }) => workflow);
    await recordDeletedPlaces(tx, ids);
    await tx.reportingNode.deleteMany({ where: { workflowId: { in: ids } } });
    await tx.detectedTable.deleteMany({ where: { workflowId: { in: ids } } });
    // In SQL, so that `modified_date` stays the same: the solution itself does not change.
    await tx.$executeRaw`UPDATE datasets.solution SET workflow_id = NULL WHERE workflow_id = ANY(${ids}::uuid[])`;
    await tx.$executeRaw`UPDATE datasets.query_folder SET workflow_id = NULL WHERE workflow_id = ANY(${ids}::uuid[])`;
  }
}
