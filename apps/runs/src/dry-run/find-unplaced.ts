import type { z } from 'zod';
import type { planProblem } from '@millrace/contracts/runs/dry-run';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { describeReady } from '../runs/describe-ready.js';
import type { KnownFleet } from '../workers/fleet-routes.js';

type PlanProblem = z.infer<typeof planProblem>;

/** Warns of nodes that would wait, because no connected worker has what they require. One node stands for all that require the same. */
export function findUnplaced(plan: PlanIndex, fleets: readonly KnownFleet[]): PlanProblem[] {
  const firsts = plan.listRequirements().toReversed();
  const byKey = new Map(firsts.map(({ segment, key }) => [key, segment] as const));
  return [...byKey].flatMap(([key, segment]): PlanProblem[] => {
    const [waiting] = describeReady([{ key, count: 1 }], fleets);
    const node = plan.steps(segment)[0]?.node;
    if (waiting?.reason !== 'workers' || node === undefined) return [];
    const missing = waiting.missing === undefined ? '' : ` No fleet has ${waiting.missing.join(', ')}.`;
    return [
      {
        ...{ kind: 'workers', severity: 'warning', code: 'no_matching_workers', node },
        message: `No connected worker has what node "${node}" requires, so the run would wait for one.${missing}`,
      },
    ];
  });
}
