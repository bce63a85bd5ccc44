import { isDeepStrictEqual } from 'node:util';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { ParamValues } from '@millrace/graph/params/set-params';
import type { Transaction } from '@millrace/persistence/database';
import { requeueUnclaimed } from '../dispatch/requeue-unclaimed.js';
import type { PlanIndex } from '../plans/plan-index.js';
import type { LockedRun } from '../transaction/locked-run.js';

export interface ParameterChange {
  /** The run's plan with the new values. */
  plan: PlanIndex;
  /** Indexes of the steps whose inputs differ from the former plan. */
  steps: readonly number[];
  /** Inputs that the former plan did not have, or had with another value. */
  inputs: Record<string, InputValue>;
  /** All parameters that users have changed since the start. */
  parameters: ParamValues;
}

/**
 * Gives a run a plan with other values. Steps that have started keep theirs. Tasks that no worker has claimed are
 * dispatched again. If a worker begins a step with the former values, its report says so, and the step starts again.
 */
export async function changeParameters(tx: Transaction, run: LockedRun, change: ParameterChange): Promise<void> {
  const { plan, steps, inputs, parameters } = change;
  // Workers keep the values of variables until a repair, so a new name needs one.
  if (!isDeepStrictEqual(plan.variables, run.plan.variables)) run.repairs++;
  run.usePlan(plan);
  run.row.inputs = { ...(run.row.inputs as Record<string, InputValue>), ...inputs };
  await tx.$executeRaw`
    UPDATE runs.run SET plan = ${plan.sha256}, repairs = ${run.repairs}, inputs = inputs || ${JSON.stringify(inputs)}::jsonb,
      parameters = ${JSON.stringify(parameters)}::jsonb
    WHERE id = ${run.id}`;
  const segments = [...new Set(steps.map((step) => plan.step(step).segment))];
  await requeueUnclaimed(tx, run, segments);
  for (const segment of segments) {
    const changed = steps.filter((step) => plan.step(step).segment === segment);
    await tx.$executeRaw`
      UPDATE runs.dispatch SET changed_steps = ARRAY(SELECT DISTINCT unnest(changed_steps || ${changed}::int[]))
      WHERE run_id = ${run.id} AND segment = ${segment}`;
  }
}
