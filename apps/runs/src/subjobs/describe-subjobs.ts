import type { Database, Transaction } from '@millrace/persistence/database';
import type { Run, Subjob } from '@millrace/persistence/generated/client';
import type { PlanStore } from '../engine/plans/plan-store.js';
import { toSubjob, type SubjobRecord } from './to-subjob.js';

/** Makes the API records of subjobs of one run, with the number of attempts that each may have. */
export async function describeSubjobs(
  client: Database['client'] | Transaction,
  plans: PlanStore,
  run: Pick<Run, 'id' | 'plan'>,
  rows: readonly Subjob[],
): Promise<SubjobRecord[]> {
  const { plan } = await plans.load(run.plan);
  const retried = rows.filter(({ attempt }) => attempt > 1).map(({ id }) => id);
  const lost = await countLost(client, run.id, retried);
  const cachedFrom = rows.flatMap((row) => row.cachedFrom ?? []);
  const sourceRuns = await findRuns(client, cachedFrom);
  return rows.map((row) => {
    const cachedFromRun = row.cachedFrom === null ? undefined : sourceRuns.get(row.cachedFrom);
    return {
      ...toSubjob(row, 1 + (plan.steps[row.step]?.retries ?? 0) + (lost.get(row.id) ?? 0)),
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
    where: { id: { in: [...new Set(subjobs)] } },
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
