import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { orNotFound } from '@millrace/persistence/or-not-found';

/**
 * Deletes a workflow and publishes the deletion to the services that store data of it.
 * @throws NotFoundError if no workflow matches
 */
export async function removeWorkflow(
  tx: Transaction,
  { id, vaultId, ...conditions }: Prisma.WorkflowWhereUniqueInput & { id: string; vaultId: string },
): Promise<void> {
  await orNotFound(
    `Workflow ${id}`,
    tx.workflow.delete({ where: { id, vaultId, ...conditions }, select: { id: true } }),
  );
  tx.emit(workflowDeleted, { vault: vaultId, workflow: id });
}
