import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import { type SubjobStatus, isFinalSubjob } from '@millrace/contracts/runs/statuses';
import type { readLogs } from '@millrace/contracts/runs/subjobs';
import type { Database } from '@millrace/persistence/database';
import type { Subjob } from '@millrace/persistence/generated/client';
import { isActive } from '../engine/states/subjob-transitions.js';

type StoredLog = NonNullable<Result<typeof readLogs>['stored']>;

export type LogLocation = Result<typeof readLogs> & {
  attempt: number;
  /** Of the attempt. */
  startedAt: Date | null;
  finishedAt: Date | null;
};

interface RequestedLog {
  stream: 'stdout' | 'stderr';
  /** Default: the current or last attempt. */
  attempt?: number | undefined;
}

/** Finds where the log of an attempt is: stored, or on the worker that runs it. */
export async function locateLog(
  database: Database,
  subjob: Subjob,
  { attempt = subjob.attempt, stream }: RequestedLog,
): Promise<LogLocation> {
  if (attempt !== subjob.attempt) return locateEarlierLog(database, subjob, attempt, stream);
  const { worker, step, task, startedAt, finishedAt } = subjob;
  const times = { startedAt, finishedAt };
  const stored = subjob[stream] as StoredLog | null;
  if (stored) return { state: 'stored', attempt, stored, ...times };
  const status = subjob.status as SubjobStatus;
  if (isFinalSubjob(status)) return { state: 'none', attempt, ...times };
  if (!isActive(status) || worker === null) return { state: 'waiting', attempt, startedAt: null, finishedAt: null };
  const running = { worker, step, task, ...(startedAt && { startedAt: startedAt.getTime() }) };
  return { state: 'running', attempt, running, ...times };
}

/** The log of an attempt that another one followed. An attempt whose worker was lost has none. */
async function locateEarlierLog(
  database: Database,
  { id, runId, attempt: last }: Subjob,
  attempt: number,
  stream: 'stdout' | 'stderr',
): Promise<LogLocation> {
  const where = { runId_subjobId_attempt: { runId, subjobId: id, attempt } };
  const earlier = await database.client.attempt.findUnique({ where });
  if (!earlier) {
    const existed = attempt >= 1 && attempt < last;
    const problem = existed ? 'has no stored log' : `does not exist; the last attempt is ${last}`;
    throw new ApiError('not_found', `Attempt ${attempt} of subjob ${id} ${problem}.`);
  }
  const { startedAt, finishedAt } = earlier;
  const times = { startedAt, finishedAt };
  const stored = earlier[stream] as StoredLog | null;
  return stored ? { state: 'stored', attempt, stored, ...times } : { state: 'none', attempt, ...times };
}
