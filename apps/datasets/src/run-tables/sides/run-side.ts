import type { RUN_LOAD_STATES, UNKNOWN_ROWS_REASONS } from '@millrace/contracts/datasets/run-tables';

export type RunLoadState = (typeof RUN_LOAD_STATES)[number];
export type UnknownRowsReason = (typeof UNKNOWN_ROWS_REASONS)[number];

/** The rows that one output of a run brought into a table. */
export interface LoadedPart {
  /** Generation of the last load of the output. */
  generation: bigint;
  /** Numbers of the columns that it loaded. */
  columns: readonly number[];
}

/** What a run has loaded into a table. */
export interface RunSide {
  load: RunLoadState;
  rejected: number;
  /** One for each output. Of rows with the same key, the one in the first part counts. */
  parts: readonly LoadedPart[];
  /** Why the rows are not known; null if nothing shows that yet. */
  problem: UnknownRowsReason | null;
}

export const ABSENT_SIDE: RunSide = { load: 'absent', rejected: 0, parts: [], problem: null };

/** Which rows of a table a run loaded are not known. */
export class UnknownRowsError extends Error {
  override name = 'UnknownRowsError';

  constructor(readonly reason: UnknownRowsReason) {
    super(MESSAGES[reason]);
  }
}

const MESSAGES: Record<UnknownRowsReason, string> = {
  unfinished: 'A load of one of the runs is not finished. Try again when it is.',
  cleared: 'The table was cleared after one of the runs was loaded.',
  not_recorded:
    'It is not recorded which rows one of the runs loaded: it was loaded by an earlier version of Millrace, its rows are too scattered, or many loads followed.',
  timeout: 'The rows could not be compared in time. Try again when the table is used less.',
  busy: 'Too many requests to Live Tables are running. Try again in a few seconds.',
};
