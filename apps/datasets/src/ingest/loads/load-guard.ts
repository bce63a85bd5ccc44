import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { LoadStatus } from '@millrace/contracts/datasets/loads';
import { isDiskFull } from '@millrace/messaging/rpc/explain-outage';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { LOCK_NOT_AVAILABLE } from '../../datasets/sql-states.js';
import { stagingName } from '../../live/names.js';
import { countLoad } from '../../metrics/table-metrics.js';
import { withClaimedTables } from './claim-tables.js';
import { enqueueNextMerge, UNFINISHED_SQL } from './load-jobs.js';
import { LOAD_TRANSITIONS } from './load-transitions.js';

/** A load that fails this often in one attempt is not tried again. */
const MAX_FAILURES = 5;
/** Enough to find the rejected rows among many millions of staged ones. */
const FAILURE_TIMEOUT_MS = 120_000;
const INTERNAL_FAILURE = `The load failed ${MAX_FAILURES} times because of an internal error. Retry the load; if it fails again, contact the operator.`;

/** A failure that another attempt would not avoid. Users read the message as the load's `error`. */
export class PermanentLoadError extends Error {
  override name = 'PermanentLoadError';
}

/** Runs the work of a load's jobs and fails the load if the work cannot succeed, so that every load ends. */
@Injectable()
export class LoadGuard implements OnModuleDestroy {
  private readonly logger = new Logger(LoadGuard.name);
  private closing = false;

  constructor(private readonly database: Database) {}

  onModuleDestroy(): void {
    this.closing = true;
  }

  /** @throws the error of the work if the job should be retried */
  async run(load: { id: bigint; attempt: number }, work: () => Promise<void>): Promise<void> {
    try {
      await withClaimedTables(this.database, work);
    } catch (error) {
      // Not the load's fault: the service is shutting down, a reader has locked the table, or a disk is full.
      if (this.closing || isLockTimeout(error) || isDiskFull(error)) throw error;
      const permanent = error instanceof PermanentLoadError ? error.message : null;
      const outcome = await this.recordFailure(load, permanent);
      if (outcome === 'retry') throw error;
      if (outcome === 'failed') countLoad('failed');
      this.logger.warn({ message: 'Load failed', load: String(load.id), error });
    }
  }

  /**
   * @param permanent the error of the load if no other attempt would succeed
   * @returns `ended`: the load had ended already
   */
  private recordFailure(
    { id, attempt }: { id: bigint; attempt: number },
    permanent: string | null,
  ): Promise<'retry' | 'failed' | 'ended'> {
    const work = async (tx: Transaction): Promise<'retry' | 'failed' | 'ended'> => {
      const rows = await tx.$queryRaw<{ failures: number }[]>`
        UPDATE datasets.load SET failures = failures + 1
        WHERE id = ${id} AND attempt = ${attempt} AND status IN ${UNFINISHED_SQL} RETURNING failures`;
      const failures = rows[0]?.failures;
      if (failures === undefined) return 'ended';
      if (permanent === null && failures < MAX_FAILURES) return 'retry';
      await failLoad(tx, id, permanent ?? INTERNAL_FAILURE);
      return 'failed';
    };
    return this.database.transaction(work, { timeoutMs: FAILURE_TIMEOUT_MS });
  }
}

async function failLoad(tx: Transaction, id: bigint, error: string): Promise<void> {
  const data = { status: LOAD_TRANSITIONS.fail.to, error, finishedAt: new Date() };
  const load = await tx.load.update({ where: { id }, data });
  await storeRejectedRows(tx, load);
  await dropStagingTables(tx, id);
  await enqueueNextMerge(tx, load);
}

/** Not `instanceof Error`: errors of a worker thread are copies. */
const isLockTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: string }).code === LOCK_NOT_AVAILABLE;

/**
 * Locks a load until the transaction ends.
 * @returns whether the load still has this status in the given attempt
 */
export async function lockLoad(
  tx: Transaction,
  load: { id: bigint; attempt: number },
  status: LoadStatus,
): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM datasets.load WHERE id = ${load.id} AND attempt = ${load.attempt} AND status = ${status} FOR UPDATE`;
  return locked.length > 0;
}

/** Rejected rows of a load that users can read; further rows are only counted. */
const MAX_STORED_ROWS = 10_000;

/** Stores the first rejected rows of a load from its staged batches. */
export async function storeRejectedRows(tx: Transaction, { id, datasetId }: Load): Promise<void> {
  const batches = await tx.$queryRaw<{ batch: bigint }[]>`
    SELECT batch FROM datasets.load_part WHERE load_id = ${id} AND status = 'READ'
    GROUP BY batch HAVING sum(rejected) > 0 AND to_regclass('live.s_' || batch) IS NOT NULL`;
  if (batches.length === 0) return;
  const rows = batches
    .map(({ batch }) => `SELECT _p, _n, _r, _t FROM ${stagingName(batch)} WHERE _r IS NOT NULL`)
    .join(' UNION ALL ');
  await tx.$executeRaw`
    INSERT INTO datasets.rejected_row (dataset_id, load_id, part_id, line, reason, text)
    SELECT ${datasetId}::uuid, ${id}, _p, _n, _r, _t
    FROM (${Prisma.raw(rows)} ORDER BY 1, 2 LIMIT ${MAX_STORED_ROWS}) s`;
}

/** Drops the staging tables of all batches of a load. */
export async function dropStagingTables(tx: Transaction, load: bigint): Promise<void> {
  const batches = await tx.loadPart.findMany({ where: { loadId: load }, distinct: ['batch'], select: { batch: true } });
  if (batches.length === 0) return;
  const names = batches.map(({ batch }) => stagingName(batch)).join(', ');
  await tx.$executeRaw(Prisma.raw(`DROP TABLE IF EXISTS ${names}`));
}
