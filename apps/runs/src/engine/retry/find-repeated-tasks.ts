import type { PlanIndex } from '../plans/plan-index.js';

/** By segment and index of the task: the position in the segment from which its steps run again. */
export type TaskSelection = Map<number, Map<number, number>>;

/** All steps that have not succeeded run again; those before them keep their results. */
export const FROM_FAILURE = Number.MAX_SAFE_INTEGER;
const FROM_START = 0;

/** What the closure needs to know of a run. */
export interface RunShape {
  /** Number of tasks by segment; null if its scope has not been split. */
  totals: readonly (number | null)[];
  /** Tasks by segment that ended because something that they need has no result. */
  broken: ReadonlyMap<number, readonly number[]>;
}

export interface RepeatedTasks {
  tasks: TaskSelection;
  /** Scopes that are split again, so that they get new children. */
  scopes: Set<number>;
}

/**
 * Finds everything that has to run again because these tasks do: the same child in the segments that follow it, and the
 * whole of every segment that gathers from it. What is only ordered after them runs again if it could not run before.
 */
export function findRepeatedTasks(plan: PlanIndex, shape: RunShape, chosen: TaskSelection): RepeatedTasks {
  const tasks: TaskSelection = new Map([...chosen].map(([segment, indexes]) => [segment, new Map(indexes)]));
  const scopes = new Set<number>();
  const repeat = (segment: number, indexes: Iterable<number>) => {
    for (const index of indexes) selectTask(tasks, segment, index, FROM_START);
  };
  for (const { index: segment, scope } of plan.plan.segments) {
    const isSplitAgain = scope !== null && scopes.has(scope);
    if (isSplitAgain) tasks.delete(segment);
    const indexes = tasks.get(segment);
    if (!isSplitAgain && !indexes) continue;
    const split = plan.scopeSplitBy(segment);
    if (split) scopes.add(split.index);
    for (const consumer of plan.consumers[segment] ?? []) {
      if (consumer.ordersOnly && !isConditionOn(plan, consumer.segment, segment)) {
        repeat(consumer.segment, shape.broken.get(consumer.segment) ?? []);
      } else if (consumer.how === 'each') repeat(consumer.segment, indexes?.keys() ?? []);
      else repeat(consumer.segment, indexesOf(plan, shape, consumer.segment));
    }
  }
  return { tasks, scopes };
}

/** Adds a task to a selection. The earliest of several positions counts. */
export function selectTask(tasks: TaskSelection, segment: number, index: number, position: number): void {
  const indexes = tasks.get(segment) ?? new Map<number, number>();
  indexes.set(index, Math.min(position, indexes.get(index) ?? Infinity));
  tasks.set(segment, indexes);
}

/** The indexes of all tasks of a segment; none if it has not been split. */
export function indexesOf(plan: PlanIndex, { totals }: RunShape, segment: number): number[] {
  if (plan.segment(segment).scope === null) return [0];
  return Array.from({ length: totals[segment] ?? 0 }, (_, n) => n + 1);
}

/** Whether the condition of the segment uses results of the other one. */
const isConditionOn = (plan: PlanIndex, segment: number, other: number): boolean =>
  plan.steps(segment)[0]?.when?.steps.some((step) => plan.step(step).segment === other) ?? false;
