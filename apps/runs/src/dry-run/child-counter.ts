import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { countItems } from './count-items.js';
import type { StepMatcher } from './match-steps.js';
import { stepKey, type EarlierRun } from './read-earlier-runs.js';

/** Earlier runs, and the numbers of items of their splits, by `<run> <segment>`. */
interface EarlierSplits {
  runs: readonly EarlierRun[];
  splits: ReadonlyMap<string, number>;
}

/** Finds the number of children of each scope, as far as it is known before the run. */
export class ChildCounter {
  private readonly counts = new Map<number, Promise<number | null>>();

  constructor(
    private readonly plan: PlanIndex,
    private readonly inputs: Readonly<Record<string, InputValue>>,
    private readonly matcher: StepMatcher,
    private readonly earlier: EarlierSplits,
    private readonly store: ObjectStore,
  ) {}

  /** Counts after the steps before the split have been forecast. Null if the number is not known. */
  count(scope: number): Promise<number | null> {
    const count = this.counts.get(scope) ?? this.find(scope);
    this.counts.set(scope, count);
    return count;
  }

  private async find(index: number): Promise<number | null> {
    const scope = this.plan.plan.scopes[index];
    if (!scope) return null;
    const split = this.plan.step(scope.split);
    if (this.matcher.findUnknownInput(split) !== null) return null;
    for (const run of this.earlier.runs) {
      const former = run.plan.plan.scopes.find((other) => other.split === run.steps.get(stepKey(split)));
      if (!former || !this.matcher.isSameSplit(index, former.index, run)) continue;
      const count = this.earlier.splits.get(`${run.id} ${run.plan.splitSegmentOf(former.index)}`);
      if (count !== undefined) return count;
    }
    return countItems(this.plan.plan, scope, this.inputs, this.store);
  }
}
