import type { FinishedReport } from '@millrace/contracts/runs/report';

/** The result of a split: the stored objects with its items and their index, and the number of items. */
export type SplitResult = NonNullable<FinishedReport['split']>;

/** Tasks of one segment that have ended. */
export interface SettledTasks {
  segment: number;
  /** Indexes of the tasks that succeeded. */
  succeeded: number[];
  /** Indexes of the tasks that did not succeed. */
  broken: number[];
  /** The result, if the segment is a split that succeeded. */
  split?: SplitResult | null;
}
