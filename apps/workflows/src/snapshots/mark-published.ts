import type { Transaction } from '@millrace/persistence/database';

/**
 * Updates the flags of a version and its workflow for existing snapshots. A separate statement after the lock of the
 * workflow, so that it sees the current snapshots. It leaves `modified_at` unchanged, because publishing does not
 * change the workflow.
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
