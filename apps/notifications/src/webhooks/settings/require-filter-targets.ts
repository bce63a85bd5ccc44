import { locateTable } from '@millrace/contracts/datasets/table-changes';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** The space, workflow, table and view whose events a webhook is limited to. */
export interface WebhookFilter {
  space?: string | null | undefined;
  workflow?: string | null | undefined;
  dataset?: string | null | undefined;
  view?: string | null | undefined;
}

/**
 * Checks that the space, workflow, table and view of a filter exist, and that the view is one of the table.
 * @throws ValidationError if one does not exist or the caller may not see it
 */
export async function requireFilterTargets(
  rpc: RpcClient,
  { space, workflow, dataset, view }: WebhookFilter,
  context: Context,
): Promise<void> {
  const { vault } = context.caller;
  if (space && (await rpc.call(findSpaceOf, { vault, space }, context.envelope)).name === null)
    throw new ValidationError({ 'body.space': `is a space that does not exist in this vault (got ${space})` });
  if (workflow)
    await rpc.call(locateWorkflow, { workflow }, context.envelope).catch((error) => rejectMissing(workflow, error));
  if (dataset) await requireTable(rpc, { vault, dataset }, context, 'body.dataset');
  if (view) await requireTable(rpc, { vault, view, ...(dataset && { dataset }) }, context, 'body.view');
}

async function requireTable(
  rpc: RpcClient,
  located: { vault: string; dataset?: string; view?: string },
  { caller: { spaces }, envelope }: Context,
  field: string,
): Promise<void> {
  const { table } = await rpc.call(locateTable, located, envelope);
  if (table && (table.public || spaces === 'all' || Object.hasOwn(spaces, table.space))) return;
  const { dataset, view } = located;
  const problem =
    view === undefined
      ? `is a Live Table that does not exist in this vault, or that you may not query (got ${dataset})`
      : `is a view that does not exist${dataset === undefined ? '' : ` for Live Table ${dataset}`}, or that you may not query (got ${view})`;
  throw new ValidationError({ [field]: problem });
}

function rejectMissing(workflow: string, error: unknown): never {
  if (error instanceof ApiError && error.code === 'not_found')
    throw new ValidationError({ 'body.workflow': `is a workflow that does not exist in this vault (got ${workflow})` });
  throw error;
}
