import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

const REASONS = { space_id: 'Its space was deleted', workflow_id: 'Its workflow was deleted' };

/** Disables webhooks whose space or workflow is gone; what waits tells of the time before, and is sent. */
export async function disableNarrowed(
  tx: Transaction,
  column: keyof typeof REASONS,
  gone: readonly { vault: string; id: string }[],
): Promise<void> {
  const [vaults, ids] = [gone.map(({ vault }) => vault), gone.map(({ id }) => id)];
  await tx.$executeRaw`
    UPDATE notifications.webhook SET enabled = false, disabled_reason = ${REASONS[column]} WHERE id = ANY(ARRAY(
      SELECT id FROM notifications.webhook WHERE enabled
        AND (vault_id, ${Prisma.raw(column)}) IN (SELECT * FROM unnest(${vaults}::uuid[], ${ids}::uuid[]))
      ORDER BY id FOR NO KEY UPDATE))`;
}
