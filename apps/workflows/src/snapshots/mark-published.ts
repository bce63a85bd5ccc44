import type { Transaction } from '@millrace/persistence/database';

/**
 * Says of a version, and of its workflow, whether a snapshot of them stands in the library. A statement after the lock of
 * the workflow, so that it sees the snapshots as they are; `modified_at` stays, for what is published changes no workflow.
 */
export async function markPublished(tx: Transaction, workflow: string, version: string): Promise<void> {
  await tx.$executeRaw`
    WITH marked AS (
      UPDATE workflows.version v
      SET snapshot = EXISTS (SELECT 1 FROM workflows.snapshot s WHERE s.version_id = v.id)
      WHERE v.id = ${version}::uuid)
    UPDATE workflows.workflow w
    SET is_app = EXISTS (SELECT 1 FROM workflows.snapshot s WHERE s.workflow_id = w.id)
    WHERE w.id = ${workflow}::uuid`;
}
