import type { Result } from '@millrace/contracts/kit/operation';
import type { getSubjob } from '@millrace/contracts/runs/subjobs';
import type { Attempt } from '@millrace/persistence/generated/client';
import type { SubjobRecord } from './to-subjob.js';

type AttemptRecord = Result<typeof getSubjob>['attempts'][number];

/** The API record of an attempt that another one followed. */
export function toAttempt(row: Attempt): AttemptRecord {
  const { startedAt, finishedAt } = row;
  return {
    attempt: row.attempt,
    status: row.status as AttemptRecord['status'],
    ...(row.message !== null && { message: row.message }),
    ...(row.exitCode !== null && { exit_code: row.exitCode }),
    ...(row.worker !== null && { worker: row.worker }),
    ...(startedAt && { started_at: startedAt.toISOString() }),
    ...(finishedAt && { finished_at: finishedAt.toISOString() }),
    ...(startedAt && finishedAt && { duration_ms: Math.max(0, finishedAt.getTime() - startedAt.getTime()) }),
    ...(row.maxRss !== null && { max_rss_bytes: Number(row.maxRss) }),
    ...(row.cpuMs !== null && { cpu_ms: Math.ceil(row.cpuMs) }),
  };
}

/** The current or last attempt. While the subjob is PENDING, its times, message and worker belong to the attempt before. */
export function toLastAttempt(record: SubjobRecord): AttemptRecord {
  const { attempt, status } = record;
  if (status === 'PENDING') return { attempt, status };
  const { message, exit_code, worker, started_at, finished_at, duration_ms, max_rss_bytes, cpu_ms } = record;
  const result = { message, exit_code, worker, started_at, finished_at, duration_ms, max_rss_bytes, cpu_ms };
  return { attempt, status, ...Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined)) };
}
