/** States of a run and of a subjob, and which of them are final. */
export const RUN_STATUSES = ['PENDING', 'SUBMITTED', 'RUNNING', 'COMPLETED', 'FAILED', 'STOPPING', 'STOPPED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const SUBJOB_STATUSES = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPING', 'STOPPED', 'SKIPPED'] as const;
export type SubjobStatus = (typeof SUBJOB_STATUSES)[number];

const FINAL_RUN: readonly RunStatus[] = ['COMPLETED', 'FAILED', 'STOPPED'];
const FINAL_SUBJOB: readonly SubjobStatus[] = ['SUCCEEDED', 'FAILED', 'STOPPED', 'SKIPPED'];

export const isFinalRun = (status: RunStatus): boolean => FINAL_RUN.includes(status);
export const isFinalSubjob = (status: SubjobStatus): boolean => FINAL_SUBJOB.includes(status);

export const CREATION_TYPES = ['MANUAL', 'SCHEDULED', 'API', 'HOOK'] as const;
export type CreationType = (typeof CREATION_TYPES)[number];
