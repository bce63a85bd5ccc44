import { ValidationError } from '@millrace/contracts/kit/api-error';
import { BUILT_IN_VARIABLES, findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { describeUndefinedVariables } from '@millrace/graph/describe-undefined-variables';
import { takenVariables } from '@millrace/graph/taken-variables';
import type { Asker } from '@millrace/messaging/asker';
import type { Context } from '@millrace/messaging/context';
import type { RunnableVersion } from './version-cache.js';

/**
 * Refuses to start a run whose steps would fail because a secret variable is not defined.
 * @param given ids of the inputs whose value the run gives: their defaults are not used
 * @throws ValidationError that names each node with its variables
 */
export async function checkVariables(
  asker: Asker,
  { caller, requestId }: Context,
  { workflow, plan }: RunnableVersion,
  given: ReadonlySet<string>,
): Promise<void> {
  const { names, modules } = takenVariables(plan.variables, BUILT_IN_VARIABLES);
  if (names.length + modules.length === 0) return;
  const taken = { vault: caller.vault, space: workflow.space, user: caller.user, names, modules };
  const { missing } = await asker.ask(findUndefinedVariables, taken, { caller: null, requestId });
  const details = describeUndefinedVariables(plan.plan, given, missing);
  if (Object.keys(details).length === 0) return;
  throw new ValidationError(details, 'The workflow uses secret variables that are not defined');
}
