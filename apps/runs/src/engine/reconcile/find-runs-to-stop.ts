import { RESTRICTION_MESSAGES, type StartRestriction } from '@millrace/contracts/billing/restriction';
import type { Database } from '@millrace/persistence/database';
import { stoppingVaults } from '../../restrictions/stopping-vaults.js';

/** Restricted runs stopped in one transaction. */
const MAX_RESTRICTED_RUNS = 100;

/** A run that the platform stops, and the error that the run gets. */
export interface RunToStop {
  id: bigint;
  error: string;
}

export async function findOverdueRuns({ client }: Database): Promise<RunToStop[]> {
  const runs = await client.run.findMany({
    where: { finishedAt: null, deadline: { lt: new Date() }, pausedAt: null, status: { not: 'STOPPING' } },
    select: { id: true },
  });
  return runs.map(({ id }) => ({ id, error: 'the run exceeded its timeout_seconds' }));
}

/**
 * Finds the unfinished runs of vaults whose restriction or suspension stops runs. Reconciliation looks for them, instead of the event
 * handler: a transaction that does not see the restriction yet may start another run.
 */
export async function findRestrictedRuns({ client }: Database): Promise<RunToStop[]> {
  const runs = await client.$queryRaw<{ id: bigint; reason: StartRestriction }[]>`
    SELECT r.id, min(v.reason) AS reason FROM ${stoppingVaults} v JOIN runs.run r ON r.vault_id = v.vault_id
    WHERE r.finished_at IS NULL AND r.status <> 'STOPPING' GROUP BY r.id
    ORDER BY r.id LIMIT ${MAX_RESTRICTED_RUNS}::int`;
  return runs.map(({ id, reason }) => ({ id, error: RESTRICTION_MESSAGES[reason] }));
}
