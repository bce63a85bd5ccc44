import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { orNotFound } from '@millrace/persistence/or-not-found';

/** Deletes a workflow, and tells those who keep something of it. @throws NotFoundError where it does not match any more */
export async function removeWorkflow(
  tx: Transaction,
  { id, vaultId, ...more }: Prisma.WorkflowWhereUniqueInput & { id: string; vaultId: string },
): Promise<void> {
  await orNotFound('Workflow', tx.workflow.delete({ where: { id, vaultId, ...more }, select: { id: true } }));
  tx.emit(workflowDeleted, { vault: vaultId, workflow: id });
}
