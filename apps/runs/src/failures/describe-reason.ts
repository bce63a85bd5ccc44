import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { Step } from '@millrace/graph/plan/plan';
import { findItemKey } from './item-source.js';
import { normalizeReason } from './normalize-reason.js';

/**
 * The reason by which the failure of a reported step is grouped with others. It costs about 20 µs, for failures only:
 * grouping 100,000 messages when somebody looks at them would take seconds.
 */
export function describeReason(
  step: Pick<Step, 'inputs'>,
  { message, params }: Pick<FinishedReport, 'message' | 'params'>,
): string | null {
  if (message === null) return null;
  const key = findItemKey(step);
  const item = key === null ? undefined : params[key];
  return normalizeReason(message, typeof item === 'string' ? item : null);
}
