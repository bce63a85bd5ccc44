import type { Result } from '@millrace/contracts/kit/operation';
import type { listVaultWorkflows } from '@millrace/contracts/workflows/workflows';
import type { ListedWorkflow } from './listing/find-workflow-page.js';
import { toWorkflow } from './to-workflow.js';

/** A workflow as those see it who organize the vault, with its space. */
export function toVaultWorkflow(row: ListedWorkflow): Result<typeof listVaultWorkflows>['results'][number] {
  const { id, name, description, color, playground } = row.space;
  return { ...toWorkflow(row, row.schedule), space: { id, name, description, ...(color && { color }), playground } };
}
