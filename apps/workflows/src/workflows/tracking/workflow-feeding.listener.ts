import { Injectable } from '@nestjs/common';
import { workflowFeeding } from '@millrace/contracts/datasets/reporting-nodes';
import type { Payload } from '@millrace/contracts/kit/event';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { lockWorkflows } from '../lock-workflow.js';

/**
 * Tracks which workflows feed Live Tables. Events arrive in any order, so the one with the greatest `seq` counts. It
 * leaves `modified_at` unchanged, because feeding a table does not change the workflow.
 */
@Injectable()
export class WorkflowFeedingListener {
  @EventHandler(workflowFeeding)
  async applyFeeding(events: Payload<typeof workflowFeeding>[], tx: Transaction): Promise<void> {
    await lockWorkflows(tx, events);
    await tx.$executeRaw`
      WITH latest AS (
        SELECT DISTINCT ON (workflow, vault) workflow, vault, feeds, seq
        FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS t(vault uuid, workflow uuid, feeds boolean, seq bigint)
        ORDER BY workflow, vault, seq DESC)
      UPDATE workflows.workflow w SET has_database = l.feeds, database_seq = l.seq
      FROM latest l WHERE w.id = l.workflow AND w.vault_id = l.vault AND w.database_seq < l.seq`;
  }
}
