import type { Transaction } from '@millrace/persistence/database';

/** Holds a workflow to the end of the transaction: who sets what there is one of, a schedule or a webhook, comes one by one. */
export async function lockWorkflow(tx: Transaction, id: string): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM workflows.workflow WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}
