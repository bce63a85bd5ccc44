import type { Run, Subjob } from '@millrace/client';
import type { StatusCounts, SubjobStatus } from './child-states.js';

type Insights = Run['run_insights'];

const NAMES: Record<SubjobStatus, Exclude<keyof Insights, 'total'>> = {
  PENDING: 'pending',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  STOPPING: 'stopping',
  STOPPED: 'stopped',
  SKIPPED: 'skipped',
};

const STATUSES = Object.keys(NAMES) as SubjobStatus[];

/** The counts of a run as its server makes them: a node counts once, a task group as its children. Undefined if those of a group are not known. O(steps). */
export function countInsights(
  steps: readonly Pick<Subjob, 'status' | 'node' | 'task_count'>[],
  childCounts: (group: Pick<Subjob, 'status' | 'node' | 'task_count'>) => StatusCounts | undefined,
): Insights | undefined {
  const counts: Insights = {
    ...{ total: 0, pending: 0, running: 0, succeeded: 0, failed: 0 },
    ...{ stopping: 0, stopped: 0, skipped: 0 },
  };
  for (const step of steps) {
    const { status, task_count: size } = step;
    if (size === undefined || size === 0) {
      counts[NAMES[status]] += 1;
      counts.total += 1;
      continue;
    }
    const children = childCounts(step);
    if (!children) return undefined;
    for (const name of STATUSES) counts[NAMES[name]] += children[name];
    counts.total += size;
  }
  return counts;
}

const doneOf = ({ succeeded, failed, stopped, skipped }: Insights): number => succeeded + failed + stopped + skipped;

/** The newer of two counts, in which more subjobs have ended. A stream that begins with the history of a run lags behind. */
export const newerInsights = (served: Insights, streamed: Insights): Insights =>
  streamed.total === served.total && doneOf(streamed) > doneOf(served) ? streamed : served;
