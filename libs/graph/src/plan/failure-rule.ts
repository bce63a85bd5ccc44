import { type WorkflowNode } from '../data/workflow-data.js';
import { type FailureRule } from './expansion.js';
import { type FailThreshold, type Step } from './plan.js';

export const NO_FAILURE_RULE: FailureRule = { onError: 'fail', failThreshold: null };

/** A number of children, or a percentage of them; null if it is neither. */
export function readFailThreshold(written: string | number): FailThreshold | null {
  if (typeof written === 'number') return Number.isSafeInteger(written) && written >= 0 ? { count: written } : null;
  const percent = /^\d{1,3}(?:\.\d{1,6})?%$/.test(written) ? Number(written.slice(0, -1)) : NaN;
  return percent <= 100 ? { percent } : null;
}

/** The rule of a node: its own, with its own threshold, or else that of the module which it is in. */
export function findFailureRule({ on_error, fail_threshold }: WorkflowNode, outer: FailureRule): FailureRule {
  if (on_error == null) return outer;
  const hasThreshold = on_error !== 'fail' && fail_threshold != null;
  return { onError: on_error, failThreshold: hasThreshold ? readFailThreshold(fail_threshold) : null };
}

/** The fields of a step for a rule; none for `fail`, so that the plans of most workflows keep their bytes. */
export function describeFailureRule({ onError, failThreshold }: FailureRule): Pick<Step, 'onError' | 'failThreshold'> {
  if (onError === 'fail') return {};
  return failThreshold === null ? { onError } : { onError, failThreshold };
}
