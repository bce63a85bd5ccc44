import type { Transaction } from '@millrace/persistence/database';

/**
 * Holds the workflows that a batch of events tells of. In a statement of its own: what the next one sees is then what the
 * former batch left. In the order of their ids, for several batches about the same workflows are heard at the same time.
 */
export async function lockWorkflows(tx: Pick<Transaction, '$executeRaw'>, told: { workflow: string }[]): Promise<void> {
  const ids = [...new Set(told.map(({ workflow }) => workflow))];
  await tx.$executeRaw`
    SELECT 1 FROM workflows.workflow WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}
