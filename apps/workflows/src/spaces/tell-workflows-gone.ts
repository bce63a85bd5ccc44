import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import type { Transaction } from '@millrace/persistence/database';
import type { Space } from '@millrace/persistence/generated/client';

/**
 * Says that the workflows of a space go with it. Call it right before the space is deleted: from here on nothing can be
 * put into the space, so none goes untold.
 */
export async function tellWorkflowsGone(
  tx: Transaction,
  { id, vaultId }: Pick<Space, 'id' | 'vaultId'>,
): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM workflows.space WHERE id = ${id}::uuid FOR UPDATE`;
  const workflows = await tx.workflow.findMany({ where: { spaceId: id }, select: { id: true } });
  for (const workflow of workflows) tx.emit(workflowDeleted, { vault: vaultId, workflow: workflow.id });
}
