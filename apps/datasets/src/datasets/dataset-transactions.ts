import { Injectable } from '@nestjs/common';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { ChangeLimiter } from '../concurrency/change-limiter.js';
import { findDataset, type FullDataset } from './find-dataset.js';
import { lockDataset } from './lock-dataset.js';
import { QUERY_CANCELED, LOCK_NOT_AVAILABLE, sqlStateOf } from './sql-states.js';

/** More than the service's own transactions take, for what rewrites a table; the gateway waits for 30 s. */
const TRANSACTION_TIMEOUT_MS = 25_000;
/** Of one of its statements. */
export const STATEMENT_TIMEOUT_MS = 20_000;

/** Changes of Live Tables that requests ask for. */
@Injectable()
export class DatasetTransactions {
  constructor(
    private readonly database: Database,
    private readonly limiter: ChangeLimiter,
  ) {}

  /**
   * Changes a Live Table while nobody else does. What holds the table (a merge, and for DDL whoever reads it) is waited for
   * as long as a person would wait.
   * @throws NotFoundError, ForbiddenError; ApiError `rate_limited` where it is held for longer, or too much else is changed
   */
  async run<T>(id: string, context: Context, work: (tx: Transaction, dataset: FullDataset) => Promise<T>): Promise<T> {
    const change = async (tx: Transaction): Promise<T> => {
      await findDataset(tx, id, context);
      await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
      await tx.$executeRaw(Prisma.raw(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`));
      if (!(await lockDataset(tx, id))) throw new NotFoundError('Live Table');
      return work(tx, await findDataset(tx, id, context));
    };
    try {
      return await this.limiter.run(context, () =>
        this.database.transaction(change, { timeoutMs: TRANSACTION_TIMEOUT_MS }),
      );
    } catch (error) {
      // Whoever deletes the table cancels what holds it.
      const isHeld = [LOCK_NOT_AVAILABLE, QUERY_CANCELED].includes(sqlStateOf(error) ?? '');
      throw isHeld ? tableBusyError() : error;
    }
  }
}

export const tableBusyError = (): ApiError =>
  new ApiError('rate_limited', 'The table is being filled, read or changed; try again in a moment', { retry_after: 5 });
