import { Injectable, Logger } from '@nestjs/common';
import { isDiskFull } from '@millrace/messaging/rpc/explain-outage';
import { Database, type Transaction } from '@millrace/persistence/database';
import { dropStagingTables } from '../staging/drop-staging-tables.js';
import { enqueueNextMerge } from './load-order.js';
import { storeRejectedRows } from './store-rejected-rows.js';

/** A load that something goes wrong with so often is given up. */
const MAX_FAILURES = 5;
/** To find rejected rows among many millions that were staged. */
const FAILURE_TIMEOUT_MS = 120_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** What makes a load impossible, in words for whoever looks at it; trying again would not help. */
export class PermanentLoadError extends Error {
  override name = 'LoadImpossible';
}

/** Does the work of loads so that each of them comes to an end: what keeps failing is given up, and says so. */
@Injectable()
export class LoadGuard {
  private readonly logger = new Logger(LoadGuard.name);
  private closing = false;

  constructor(private readonly database: Database) {}

  onModuleDestroy(): void {
    this.closing = true;
  }

  /** @throws what went wrong, where the job is to be tried again */
  async run(load: { id: bigint; attempt: number }, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // None is the load's fault: the service ends, a reader of the table holds it, or a disk is full.
      if (this.closing || isLockTimeout(error) || isDiskFull(error)) throw error;
      const final = error instanceof PermanentLoadError ? error.message : null;
      if (!(await this.recordFailure(load, final))) throw error;
      this.logger.warn({ message: `Load ${load.id} failed`, error });
    }
  }

  private recordFailure({ id, attempt }: { id: bigint; attempt: number }, final: string | null): Promise<boolean> {
    const work = async (tx: Transaction) => {
      const rows = await tx.$queryRaw<{ failures: number }[]>`
        UPDATE datasets.load SET failures = failures + 1
        WHERE id = ${id} AND attempt = ${attempt} AND status NOT IN ('COMPLETED', 'FAILED') RETURNING failures`;
      const failures = rows[0]?.failures;
      if (failures === undefined) return true;
      if (final === null && failures < MAX_FAILURES) return false;
      await failLoad(tx, id, final ?? 'Something went wrong on our side, five times; it may be tried again');
      return true;
    };
    return this.database.transaction(work, { timeoutMs: FAILURE_TIMEOUT_MS });
  }
}

async function failLoad(tx: Transaction, id: bigint, error: string): Promise<void> {
  const load = await tx.load.update({ where: { id }, data: { status: 'FAILED', error, finishedAt: new Date() } });
  await storeRejectedRows(tx, load);
  await dropStagingTables(tx, id);
  await enqueueNextMerge(tx, load);
}

const isLockTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
