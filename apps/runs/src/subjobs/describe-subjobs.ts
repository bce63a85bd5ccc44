import type { Result } from '@millrace/contracts/kit/operation';
import { isFinalSubjob, type SubjobStatus } from '@millrace/contracts/runs/statuses';
import type { getSubjob, listSubjobs } from '@millrace/contracts/runs/subjobs';
import type { Database, Transaction } from '@millrace/persistence/database';
import type { Attempt, Run, Subjob } from '@millrace/persistence/generated/client';
import { describeApprovals } from '../approvals/describe-approvals.js';
import type { PlanStore } from '../engine/plans/plan-store.js';
import { loadPlan } from '../runs/load-plan.js';

/** Makes the API records of subjobs of one run, with the number of attempts that each may have. */
export async function describeSubjobs(
  client: Database['client'] | Transaction,
  plans: PlanStore,
  run: Pick<Run, 'id' | 'plan'>,
  rows: readonly Subjob[],
): Promise<SubjobRecord[]> {
  const { plan } = await loadPlan(plans, run);
  const retried = rows.filter(({ attempt }) => attempt > 1).map(({ id }) => id);
  const lost = await countLost(client, run.id, retried);
  const cachedFrom = rows.flatMap((row) => row.cachedFrom ?? []);
  const sourceRuns = await findRuns(client, cachedFrom);
  const approvals = await describeApprovals(client, plan, run.id, rows);
  return rows.map((row) => {
    const cachedFromRun = row.cachedFrom === null ? undefined : sourceRuns.get(row.cachedFrom);
    return {
      ...toSubjob(row, 1 + (plan.steps[row.step]?.retries ?? 0) + (lost.get(row.id) ?? 0)),
      ...(approvals.has(row.id) && { approval: approvals.get(row.id) }),
      ...(cachedFromRun !== undefined && { cached_from_run: String(cachedFromRun) }),
    };
  });
}

/** Finds the runs of subjobs by subjob id. Subjobs of deleted runs are left out. */
async function findRuns(
  client: Database['client'] | Transaction,
  subjobs: bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  if (subjobs.length === 0) return new Map();
  const rows = await client.subjob.findMany({
    where: { id: { in: [...new Set(subjobs)] }, run: { deletedAt: null } },
    select: { id: true, runId: true },
  });
  return new Map(rows.map(({ id, runId }) => [id, runId]));
}

async function countLost(client: Database['client'] | Transaction, runId: bigint, subjobs: bigint[]) {
  if (subjobs.length === 0) return new Map<bigint, number>();
  const rows = await client.attempt.groupBy({
    by: ['subjobId'],
    where: { runId, subjobId: { in: subjobs }, status: 'LOST' },
    _count: true,
  });
  return new Map(rows.map(({ subjobId, _count }) => [subjobId, _count]));
}

export type SubjobRecord = Result<typeof listSubjobs>['results'][number];

/** @param maxAttempts attempts that it may have, including lost ones */
function toSubjob(row: Subjob, maxAttempts: number): SubjobRecord {
  const status = row.status as SubjobStatus;
  const end = row.finishedAt ?? (row.startedAt && !isFinalSubjob(status) ? new Date() : null);
  return {
    id: String(row.id),
    run: String(row.runId),
    node: row.node,
    label: row.label,
    status,
    ...(row.message !== null && { message: row.message }),
    ...(row.parentId !== null && { task_group: String(row.parentId) }),
    ...(row.task > 0 && { task_index: row.task }),
    ...(row.taskCount !== null && { task_count: row.taskCount }),
    attempt: row.attempt,
    max_attempts: Math.max(row.attempt, maxAttempts),
    ...(row.exitCode !== null && { exit_code: row.exitCode }),
    params: (row.params ?? {}) as Record<string, string | boolean>,
    outputs_status: row.outputs ? 'SAVED' : isFinalSubjob(status) ? 'NONE' : 'PENDING',
    ...(row.worker !== null && { worker: row.worker }),
    cached: row.cachedFrom !== null,
    ...(row.cachedFrom !== null && { cached_from: String(row.cachedFrom) }),
    ...(row.startedAt && { started_at: row.startedAt.toISOString() }),
    ...(row.finishedAt && { finished_at: row.finishedAt.toISOString() }),
    ...(row.startedAt && end && { duration_ms: Math.max(0, end.getTime() - row.startedAt.getTime()) }),
    ...(row.maxRss !== null && { max_rss_bytes: Number(row.maxRss) }),
    ...(row.cpuMs !== null && { cpu_ms: Math.ceil(row.cpuMs) }),
    execution_units: Number(row.executionUnits),
  };
}

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
