import { Inject, Injectable } from '@nestjs/common';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { ACQUIRE_TIMEOUT_MS, FairSemaphore } from '../concurrency/fair-semaphore.js';
import { DATASETS_ENV, type DatasetsEnv } from '../env.js';
import { findDataset, type FullDataset } from './find-dataset.js';
import { lockDataset } from './lock-datasets.js';
import { LOCK_NOT_AVAILABLE, QUERY_CANCELED, sqlStateOf } from './sql-states.js';

const MAX_CONCURRENT_CHANGES_PER_USER = 2;

/**
 * Limits concurrent changes of Live Tables, each of which may take as long as a request can. They use at most half of
 * the service's own connections, so that other requests still find one.
 */
@Injectable()
export class ChangeLimiter {
  private readonly semaphore: FairSemaphore;

  constructor(@Inject(DATASETS_ENV) env: DatasetsEnv) {
    const permits = Math.max(1, Math.floor(env.DATABASE_CONNECTIONS / 2));
    this.semaphore = new FairSemaphore({
      permits,
      permitsPerUser: MAX_CONCURRENT_CHANGES_PER_USER,
      reservedPermits: Math.floor(permits / 2),
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    });
  }

  /** @throws ApiError `rate_limited` if too many other changes are running */
  run<T>({ caller }: Context, work: () => Promise<T>): Promise<T> {
    return this.semaphore.run(caller.user, work);
  }
}

/** Longer than for other transactions, because a change may rewrite a table; the gateway waits for 30 s. */
const TRANSACTION_TIMEOUT_MS = 25_000;
/** For each statement of such a transaction. */
export const STATEMENT_TIMEOUT_MS = 20_000;

/** Runs the transactions of requests that change a Live Table. */
@Injectable()
export class DatasetTransactions {
  constructor(
    private readonly database: Database,
    private readonly limiter: ChangeLimiter,
  ) {}

  /**
   * Runs `work` in a transaction that has locked the Live Table. It waits 3 s for each lock: a merge locks the table, and
   * DDL also waits for readers.
   * @throws NotFoundError, ForbiddenError; ApiError `rate_limited` if the table stays locked or too many changes are
   *   running
   */
  async run<T>(id: string, context: Context, work: (tx: Transaction, dataset: FullDataset) => Promise<T>): Promise<T> {
    const change = async (tx: Transaction): Promise<T> => {
      await findDataset(tx, id, context);
      await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
      await tx.$executeRaw(Prisma.raw(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`));
      if (!(await lockDataset(tx, id))) throw new NotFoundError(`Live Table ${id}`);
      return work(tx, await findDataset(tx, id, context));
    };
    try {
      return await this.limiter.run(context, () =>
        this.database.transaction(change, { timeoutMs: TRANSACTION_TIMEOUT_MS }),
      );
    } catch (error) {
      // A deletion of the table cancels the statements that block it.
      const isBlocked = [LOCK_NOT_AVAILABLE, QUERY_CANCELED].includes(sqlStateOf(error) ?? '');
      throw isBlocked ? tableBusyError() : error;
    }
  }
}

export const tableBusyError = (): ApiError =>
  new ApiError('rate_limited', 'Another load, query or change is using the Live Table. Try again in a few seconds.', {
    retry_after: 5,
  });
