import { ValidationError } from '@millrace/contracts/kit/api-error';
import { findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { describeUndefinedVariables } from '@millrace/graph/variables/describe-undefined-variables';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { RunnableVersion } from './version-cache.js';

/**
 * Checks that all secret variables of a workflow are defined, because the steps of a run would fail without them.
 * @param given ids of inputs that have a value in the request: their defaults are not used
 * @throws ValidationError with each node and its undefined variables
 */
export async function checkVariables(
  rpc: RpcClient,
  { caller, requestId }: Context,
  { workflow, plan }: RunnableVersion,
  given: ReadonlySet<string>,
): Promise<void> {
  if (plan.secrets === null) return;
  const used = { vault: caller.vault, space: workflow.space, user: caller.user, ...plan.secrets };
  const { missing } = await rpc.call(findUndefinedVariables, used, { caller: null, requestId });
  const details = describeUndefinedVariables(plan.plan, given, missing);
  if (Object.keys(details).length === 0) return;
  throw new ValidationError(details, 'The workflow uses secret variables that are not defined');
}
