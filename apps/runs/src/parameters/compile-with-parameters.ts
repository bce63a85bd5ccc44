import { InvalidWorkflowError } from '@millrace/graph/check/problem';
import type { Modules } from '@millrace/graph/data/workflow-data';
import { InvalidParamsError, setParams, type ParamValues } from '@millrace/graph/params/set-params';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import type { Plan } from '@millrace/graph/plan/plan';
import { describeInvalidValues, describeUnsettable } from './invalid-parameters-error.js';

/** The field of a request to start a run. */
export const PARAMETERS_FIELD = 'body.parameters';

/**
 * Compiles the plan of a new run, with values for parameters that hold for this run only. The version may lack required
 * values that these provide.
 * @throws InvalidParametersError with a problem under `body.parameters.<node>.<parameter>` for each that cannot be set
 * @throws InvalidWorkflowError for problems that the version has without the values
 */
export function compileWithParameters(data: unknown, modules: Modules, values: ParamValues): Plan {
  try {
    return compilePlan(setParams(data, modules, values), modules);
  } catch (error) {
    if (error instanceof InvalidParamsError) throw describeUnsettable(PARAMETERS_FIELD, error);
    if (!(error instanceof InvalidWorkflowError)) throw error;
    const known = listProblems(data, modules);
    const caused = error.problems.filter((problem) => !known.has(JSON.stringify(problem)));
    throw caused.length === 0 ? error : describeInvalidValues(PARAMETERS_FIELD, caused);
  }
}

function listProblems(data: unknown, modules: Modules): Set<string> {
  try {
    compilePlan(data, modules);
    return new Set();
  } catch (error) {
    if (!(error instanceof InvalidWorkflowError)) throw error;
    return new Set(error.problems.map((problem) => JSON.stringify(problem)));
  }
}
