import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** The space and workflow whose events a webhook is limited to. */
export interface WebhookFilter {
  space?: string | null | undefined;
  workflow?: string | null | undefined;
}

/**
 * Checks that the space and workflow of a filter exist.
 * @throws ValidationError if one does not exist or the caller may not see it
 */
export async function requireFilterTargets(
  rpc: RpcClient,
  { space, workflow }: WebhookFilter,
  context: Context,
): Promise<void> {
  const { vault } = context.caller;
  if (space && (await rpc.call(findSpaceOf, { vault, space }, context.envelope)).name === null)
    throw new ValidationError({ 'body.space': `is a space that does not exist in this vault (got ${space})` });
  if (workflow)
    await rpc.call(locateWorkflow, { workflow }, context.envelope).catch((error) => rejectMissing(workflow, error));
}

function rejectMissing(workflow: string, error: unknown): never {
  if (error instanceof ApiError && error.code === 'not_found')
    throw new ValidationError({ 'body.workflow': `is a workflow that does not exist in this vault (got ${workflow})` });
  throw error;
}
