import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_LEDGER_RUNS, sumLedgerOfRuns } from '@millrace/contracts/billing/ledger';
import { Prisma } from '@millrace/persistence/generated/client';
import { checkBySql, type CheckTools, type InvariantCheck } from '@millrace/service/admin/invariant-check';
import { openStore } from '@millrace/storage/open-store';
import { findMissing } from '../contents/find-missing.js';
import { findIdleRuns } from '../engine/reconcile/find-idle-runs.js';
import type { RunsEnv } from '../env.js';
import { endedRunChecks } from './check-runs.js';

/** Longer than any two transactions between which a run seems to be idle. */
const IDLE_MS = 3_000;
/** Objects from each end of the table: the newest are read most, and the oldest have been candidates for deletion most often. */
const MAX_OBJECTS = 1_000;

/** What must hold for runs. */
export const runsChecks = (env: RunsEnv): InvariantCheck[] => [
  { name: 'A run that has not ended can progress', findViolations: findStuckRuns },
  ...endedRunChecks,
  checkBySql(
    'What the runs of a vault store is the sum over its runs',
    Prisma.sql`
      SELECT v.vault_id::text AS id FROM (SELECT DISTINCT vault_id FROM runs.run WHERE deleted_at IS NULL) v
      WHERE runs.stored_bytes_of(v.vault_id)
        <> (SELECT coalesce(sum(r.stored_bytes), 0) FROM runs.run r WHERE r.vault_id = v.vault_id)`,
  ),
  {
    name: 'The cost of a run is what the ledger has (newest 1,000 runs of this month)',
    findViolations: findMischarged,
  },
  {
    name: 'Objects of outputs are stored (newest and oldest 1,000 outputs)',
    findViolations: async (tools) => {
      const missing = new Set(await findMissing(openStore(env), await listOutputHashes(tools)));
      return [...missing].slice(0, tools.limit);
    },
  },
];

/** Two looks, because a run is idle for a moment while one transaction follows another. */
async function findStuckRuns({ database, limit }: CheckTools): Promise<string[]> {
  const stalled = await database.client.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM runs.run WHERE finished_at IS NULL AND stalled_at IS NOT NULL ORDER BY id LIMIT ${limit}::int`;
  const first = await findIdleRuns(database);
  if (first.length > 0) await sleep(IDLE_MS);
  const second = first.length > 0 ? await findIdleRuns(database) : [];
  const seen = new Map(first.map(({ id, changeSeq }) => [id, changeSeq]));
  const idle = second.filter(({ id, changeSeq }) => seen.get(id) === changeSeq);
  return [...stalled, ...idle].map(({ id }) => String(id)).slice(0, limit);
}

/** Runs that ended recently are left out, because their last entries may be on their way to billing. */
async function findMischarged({ database, rpc, limit }: CheckTools): Promise<string[]> {
  const runs = await database.client.$queryRaw<{ id: string; units: bigint }[]>`
    SELECT id::text, execution_units AS units FROM runs.run
    WHERE finished_at < now() - interval '10 minutes' AND deleted_at IS NULL
      AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    ORDER BY run.id DESC LIMIT ${MAX_LEDGER_RUNS}::int`;
  if (runs.length === 0) return [];
  const { units } = await rpc.call(sumLedgerOfRuns, { runs: runs.map(({ id }) => id) }, { caller: null });
  return runs.flatMap((run) => (Number(run.units) === (units[run.id] ?? 0) ? [] : run.id)).slice(0, limit);
}

async function listOutputHashes({ database }: CheckTools): Promise<string[]> {
  const rows = await database.client.$queryRaw<{ sha256: string }[]>`
    (SELECT sha256 FROM runs.output ORDER BY id DESC LIMIT ${MAX_OBJECTS}::int)
    UNION (SELECT sha256 FROM runs.output ORDER BY id LIMIT ${MAX_OBJECTS}::int)`;
  return rows.map(({ sha256 }) => sha256);
}
