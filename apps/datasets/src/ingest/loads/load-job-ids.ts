interface LoadAttempt {
  id: bigint;
  attempt: number;
}

/**
 * Ids of a load's jobs. They are derived from the records alone, so a job that is enqueued twice runs once, and a missing
 * job can be found.
 */
export const collectJobId = (load: LoadAttempt): string => `collect-${load.id}-${load.attempt}`;

export const readJobId = (batch: bigint, round: number): string => `read-${batch}-${round}`;

/** @param rounds sum of the rounds of all batches of the load */
export const mergeJobId = (load: LoadAttempt, rounds: number): string => `merge-${load.id}-${load.attempt}-${rounds}`;
