import type { Step } from '@millrace/graph/plan/plan';
import type { PlanIndex } from '../engine/plans/plan-index.js';

/** The approvals among these that a segment can only run after, with any number of steps in between. */
export function findApprovalsBefore(plan: PlanIndex, segment: number, approvals: readonly Step[]): Step[] {
  const before = new Set([segment]);
  for (const one of before) for (const need of plan.segment(one).needs) before.add(need.segment);
  before.delete(segment);
  return approvals.filter((step) => before.has(step.segment));
}

/**
 * Whether something after an approval can run if the approval ends without a decision and a result. What takes data from it is
 * skipped in turn, but what is only ordered after that runs, and so does what has another source for the same parameter. A step
 * that gathers children gets those that were approved.
 */
export function isPassedOver(plan: PlanIndex, approval: Step): boolean {
  const missing = new Set([approval.segment]);
  for (const segment of missing) {
    for (const consumer of plan.consumers[segment] ?? []) {
      if (consumer.ordersOnly) return true;
      const { scope } = plan.segment(segment);
      const gathersApproved = consumer.how === 'all' && scope !== null && scope === approval.scope;
      if (gathersApproved) continue;
      if (consumer.how === 'all' && !isSkipped(plan, consumer.segment, missing)) return true;
      missing.add(consumer.segment);
    }
  }
  return false;
}

/** Whether a segment is skipped as a whole if these have no result: its split, or all sources of one of its parameters. */
function isSkipped(plan: PlanIndex, segment: number, missing: ReadonlySet<number>): boolean {
  const { scope } = plan.segment(segment);
  if (scope !== null && missing.has(plan.splitSegmentOf(scope))) return true;
  const inputs = plan.steps(segment)[0]?.inputs ?? [];
  return [...Map.groupBy(inputs, ({ param }) => param).values()].some((sources) =>
    sources.every(
      ({ binding }) => binding.from === 'step' && !binding.gather && missing.has(plan.step(binding.step).segment),
    ),
  );
}
