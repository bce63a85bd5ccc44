import type { JobOptions } from '@millrace/persistence/outbox';

/** Stable names of a load's jobs: what is ordered twice is done once, and what is missing can be found. */
export const collectJobId = (load: { id: bigint; attempt: number }): string => `collect-${load.id}-${load.attempt}`;
export const readJobId = (batch: bigint, round: number): string => `read-${batch}-${round}`;
/** @param rounds of all its batches together */
export const mergeJobId = (load: { id: bigint; attempt: number }, rounds: number): string =>
  `merge-${load.id}-${load.attempt}-${rounds}`;

export const named = (id: string): JobOptions => ({ id });
