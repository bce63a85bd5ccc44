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

/** The counts of a run as its server makes them: a node counts once, a task group as its children. O(steps). */
export function countInsights(
  steps: readonly Pick<Subjob, 'status' | 'node' | 'task_count'>[],
  childCounts: (node: string, size: number) => StatusCounts,
): Insights {
  const counts: Insights = {
    ...{ total: 0, pending: 0, running: 0, succeeded: 0, failed: 0 },
    ...{ stopping: 0, stopped: 0, skipped: 0 },
  };
  for (const { status, node, task_count: size } of steps) {
    if (size === undefined || size === 0) {
      counts[NAMES[status]] += 1;
      counts.total += 1;
      continue;
    }
    const children = childCounts(node, size);
    for (const name of STATUSES) counts[NAMES[name]] += children[name];
    counts.total += size;
  }
  return counts;
}

const doneOf = ({ succeeded, failed, stopped, skipped }: Insights): number => succeeded + failed + stopped + skipped;

/** The newer of two counts, in which more subjobs have ended. A stream that begins with the history of a run lags behind. */
export const newerInsights = (served: Insights, streamed: Insights): Insights =>
  streamed.total === served.total && doneOf(streamed) > doneOf(served) ? streamed : served;
