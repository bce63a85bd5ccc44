import { ValidationError } from '@millrace/contracts/kit/api-error';
import { InvalidWorkflowError } from '@millrace/graph/check/problem';
import { changeStepInputs, DifferentPlanError, type ChangedPlan } from '@millrace/graph/params/change-step-inputs';
import { InvalidParamsError, setParams, type ParamValues } from '@millrace/graph/params/set-params';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import type { Plan } from '@millrace/graph/plan/plan';
import type { VersionData } from '../launch/version-cache.js';
import { describeInvalidValues, describeUnsettable } from './invalid-parameters-error.js';

/** The field of a request to change parameters. */
/** The field of `PATCH /runs/{id}/parameters` that has the parameters. */
export const CHANGE_FIELD = 'body.nodes';

interface Change {
  run: bigint;
  /** The run's present plan. */
  plan: Plan;
  /** The parameters that users have changed so far, and all with the new ones. */
  former: ParamValues;
  merged: ParamValues;
}

/**
 * Compiles the plan of a run with changed parameters. The values are checked as those of a version.
 * @throws ValidationError with a problem under `body.nodes.<node>.<parameter>` for each that cannot be set
 */
export function compileChange({ data, modules }: VersionData, { run, plan, former, merged }: Change): ChangedPlan {
  const before = compileFormer(run, () => compilePlan(setParams(data, modules, former), modules));
  try {
    const after = compilePlan(setParams(data, modules, merged), modules);
    return changeStepInputs(plan, before, after);
  } catch (error) {
    if (error instanceof DifferentPlanError) throw describeDifference(run, error.node);
    if (error instanceof InvalidWorkflowError) throw describeInvalidValues(CHANGE_FIELD, error.problems);
    throw error instanceof InvalidParamsError ? describeUnsettable(CHANGE_FIELD, error) : error;
  }
}

/** What the run was started from may no longer be valid, because a module has changed. */
function compileFormer(run: bigint, compile: () => Plan): Plan {
  try {
    return compile();
  } catch (error) {
    if (error instanceof InvalidWorkflowError || error instanceof InvalidParamsError)
      throw describeDifference(run, null);
    throw error;
  }
}

function describeDifference(run: bigint, node: string | null): ValidationError {
  const what = node === null ? 'modules of its workflow have' : `the module of node ${JSON.stringify(node)} has`;
  return new ValidationError({
    'params.id':
      `names run ${run}, but ${what} changed since its start, so its parameters can no longer be set. ` +
      'Start a new run; `reuse_run` takes over the results that are still valid',
  });
}
