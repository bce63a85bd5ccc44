import { ValidationError } from '@millrace/contracts/kit/api-error';
import { findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { describeUndefinedVariables } from '@millrace/graph/variables/describe-undefined-variables';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { RunnableVersion } from './version-cache.js';

/**
 * Refuses to start a run whose steps would fail because a secret variable is not defined.
 * @param given ids of the inputs whose value the run gives: their defaults are not used
 * @throws ValidationError that names each node with its variables
 */
export async function checkVariables(
  rpc: RpcClient,
  { caller, requestId }: Context,
  { workflow, plan }: RunnableVersion,
  given: ReadonlySet<string>,
): Promise<void> {
  if (plan.secrets === null) return;
  const taken = { vault: caller.vault, space: workflow.space, user: caller.user, ...plan.secrets };
  const { missing } = await rpc.call(findUndefinedVariables, taken, { caller: null, requestId });
  const details = describeUndefinedVariables(plan.plan, given, missing);
  if (Object.keys(details).length === 0) return;
  throw new ValidationError(details, 'The workflow uses secret variables that are not defined');
}
