import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';

/** What a webhook is narrowed to. */
export interface Place {
  space?: string | null | undefined;
  workflow?: string | null | undefined;
}

/**
 * Refuses a space or workflow of which there is nothing to tell.
 * @throws ValidationError where it is not there, or its caller may not see it
 */
export async function refuseNowhere(rpc: RpcClient, { space, workflow }: Place, context: Context): Promise<void> {
  const { vault } = context.caller;
  if (space && (await rpc.call(findSpaceOf, { vault, space }, context.envelope)).name === null)
    throw new ValidationError({ 'body.space': 'is no space of this vault' });
  if (workflow) await rpc.call(locateWorkflow, { workflow }, context.envelope).catch(refuseMissing);
}

function refuseMissing(error: unknown): never {
  if (error instanceof ApiError && error.code === 'not_found')
    throw new ValidationError({ 'body.workflow': 'is no workflow of this vault' });
  throw error;
}
