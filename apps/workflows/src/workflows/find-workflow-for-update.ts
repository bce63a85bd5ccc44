import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { findWorkflow } from './find-workflow.js';
import { lockWorkflow } from './lock-workflow.js';
import type { WorkflowRow } from './workflow-row.js';

/**
 * A workflow as it is once nobody else can change it any more, until this transaction ends: for changes that depend on its
 * place. It is looked at twice, so that only those who may change it hold others up, and then as the last change left it.
 * @throws NotFoundError, ForbiddenError
 */
export async function findWorkflowForUpdate(tx: Transaction, id: string, context: Context): Promise<WorkflowRow> {
  const found = await findWorkflow(tx, id, context);
  await lockWorkflow(tx, found.id);
  return findWorkflow(tx, id, context);
}
