import type { Transaction } from '@millrace/persistence/database';

/**
 * Locks the workflows of a batch of events. A separate statement, so that the next one sees the result of the previous
 * batch. Locks in the order of ids, because several batches about the same workflows are handled at the same time.
 */
export async function lockWorkflows(
  tx: Pick<Transaction, '$executeRaw'>,
  events: { workflow: string }[],
): Promise<void> {
  const ids = [...new Set(events.map(({ workflow }) => workflow))];
  await tx.$executeRaw`
    SELECT 1 FROM workflows.workflow WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}
