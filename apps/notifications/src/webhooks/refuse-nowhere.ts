import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import type { Asker } from '@millrace/messaging/asker';
import type { Context } from '@millrace/messaging/context';

/** What a webhook is narrowed to. */
export interface Place {
  space?: string | null | undefined;
  workflow?: string | null | undefined;
}

/**
 * Refuses a space or workflow of which there is nothing to tell.
 * @throws ValidationError where it is not there, or its caller may not see it
 */
export async function refuseNowhere(asker: Asker, { space, workflow }: Place, context: Context): Promise<void> {
  const { vault } = context.caller;
  if (space && (await asker.ask(findSpaceOf, { vault, space }, context.envelope)).name === null)
    throw new ValidationError({ 'body.space': 'is no space of this vault' });
  if (workflow) await asker.ask(locateWorkflow, { workflow }, context.envelope).catch(refuseMissing);
}

function refuseMissing(error: unknown): never {
  if (error instanceof ApiError && error.code === 'not_found')
    throw new ValidationError({ 'body.workflow': 'is no workflow of this vault' });
  throw error;
}
