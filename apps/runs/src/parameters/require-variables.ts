import { ForbiddenError, ValidationError } from '@millrace/contracts/kit/api-error';
import { findUndefinedVariables } from '@millrace/contracts/workflows/secrets';
import { describeUndefinedVariables } from '@millrace/graph/variables/describe-undefined-variables';
import type { Context } from '@millrace/messaging/rpc/context';
import type { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Run } from '@millrace/persistence/generated/client';
import type { PlanIndex } from '../engine/plans/plan-index.js';

/** Has no secret variables. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Checks that the secret variables of a run with changed parameters are defined. The run uses variables of the user who
 * started it. Another user could send their values anywhere with a changed parameter, so only that user may change a run
 * that uses them.
 * @throws ValidationError with each node and its undefined variables
 * @throws ForbiddenError
 */
export async function requireVariables(
  rpc: RpcClient,
  { caller, requestId }: Context,
  run: Pick<Run, 'vaultId' | 'spaceId' | 'author' | 'inputs'>,
  { plan, secrets }: PlanIndex,
): Promise<void> {
  if (secrets === null) return;
  const place = { vault: run.vaultId, space: run.spaceId, ...secrets };
  const find = (user: string) =>
    rpc.call(findUndefinedVariables, { ...place, user }, { caller: null, requestId }).then(({ missing }) => missing);
  const missing = await find(run.author);
  const stored = run.inputs as Record<string, unknown>;
  const provided = Object.keys(stored).filter((id) => stored[id] !== plan.primitives[id]?.value);
  const details = describeUndefinedVariables(plan, new Set(provided), missing);
  if (Object.keys(details).length > 0)
    throw new ValidationError(details, 'With these values the run uses secret variables that are not defined.');
  if (caller.user === run.author) return;
  const personal = (await find(NOBODY)).filter((key) => !missing.includes(key));
  if (personal.length === 0) return;
  throw new ForbiddenError(
    `The run uses secret variables of the user who started it (${personal.slice(0, 5).join(', ')}), so only this user may change its parameters.`,
  );
}
