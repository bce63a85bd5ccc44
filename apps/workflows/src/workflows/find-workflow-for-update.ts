import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import { findWorkflow } from './find-workflow.js';
import { lockWorkflow } from './lock-workflow.js';
import type { WorkflowRow } from './workflow-row.js';

/**
 * Finds a workflow and locks it until the transaction ends, for changes that depend on its space or project. It checks
 * access before it locks, so that only callers who may change the workflow can block others. It reads the row again
 * after the lock, to see the result of the last change.
 * @throws NotFoundError, ForbiddenError
 */
export async function findWorkflowForUpdate(tx: Transaction, id: string, context: Context): Promise<WorkflowRow> {
  const found = await findWorkflow(tx, id, context);
  await lockWorkflow(tx, found.id);
  return findWorkflow(tx, id, context);
}
