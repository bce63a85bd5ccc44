import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

const REASONS = {
  space_id: 'The space of this webhook was deleted.',
  workflow_id: 'The workflow of this webhook was deleted.',
  dataset_id: 'The Live Table of this webhook was deleted.',
  view_id: 'The view of this webhook was deleted, or belongs to another Live Table now.',
};

/** Disables webhooks whose space, workflow, table or view was deleted. Pending messages are about earlier events and are still sent. */
export async function disableFilteredWebhooks(
  tx: Transaction,
  column: keyof typeof REASONS,
  deleted: readonly { vault: string; id: string }[],
): Promise<void> {
  if (deleted.length === 0) return;
  const [vaults, ids] = [deleted.map(({ vault }) => vault), deleted.map(({ id }) => id)];
  await tx.$executeRaw`
    UPDATE notifications.webhook SET enabled = false, disabled_reason = ${REASONS[column]} WHERE id = ANY(ARRAY(
      SELECT id FROM notifications.webhook WHERE enabled
        AND (vault_id, ${Prisma.raw(column)}) IN (SELECT * FROM unnest(${vaults}::uuid[], ${ids}::uuid[]))
      ORDER BY id FOR NO KEY UPDATE))`;
}
