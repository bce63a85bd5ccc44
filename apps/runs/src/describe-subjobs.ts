import type { Database, Transaction } from '@millrace/persistence/database';
import type { Run, Subjob } from '@millrace/persistence/generated/client';
import type { PlanStore } from './engine/plan-store.js';
import { toSubjob, type SubjobRecord } from './to-subjob.js';

/** Records of subjobs of one run, with the attempts that each may have. */
export async function describeSubjobs(
  client: Database['client'] | Transaction,
  plans: PlanStore,
  run: Pick<Run, 'id' | 'plan'>,
  rows: readonly Subjob[],
): Promise<SubjobRecord[]> {
  const { plan } = await plans.load(run.plan);
  const retried = rows.filter(({ attempt }) => attempt > 1).map(({ id }) => id);
  const lost = await countLost(client, run.id, retried);
  return rows.map((row) => toSubjob(row, 1 + (plan.steps[row.step]?.retries ?? 0) + (lost.get(row.id) ?? 0)));
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
