import { ApiError, NotFound } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/context';
import type { Database, Transaction } from '@millrace/persistence/database';
import { findDataset, type FullDataset } from './find-dataset.js';
import { lockDataset } from './lock-dataset.js';
import { CANCELLED, LOCK_TIMEOUT, sqlStateOf } from './postgres-error.js';

/** More than the service's own transactions take, for what rewrites a table; the gateway waits for 30 s. */
const TIMEOUT_MS = 25_000;

/**
 * A change of a Live Table that a request asks for, while nobody else changes it. What holds the table (a merge, and for
 * DDL whoever reads it) is waited for as long as a person would wait.
 * @throws NotFound, Forbidden; ApiError `rate_limited` where it is held for longer
 */
export async function changeDataset<T>(
  database: Database,
  id: string,
  context: Context,
  work: (tx: Transaction, dataset: FullDataset) => Promise<T>,
): Promise<T> {
  const change = async (tx: Transaction): Promise<T> => {
    await findDataset(tx, id, context);
    await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
    await tx.$executeRaw`SET LOCAL statement_timeout = '20s'`;
    if (!(await lockDataset(tx, id))) throw new NotFound('Live Table');
    return work(tx, await findDataset(tx, id, context));
  };
  try {
    return await database.transaction(change, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    // Whoever deletes the table cancels what holds it.
    const isHeld = [LOCK_TIMEOUT, CANCELLED].includes(sqlStateOf(error) ?? '');
    throw isHeld ? tableIsHeld() : error;
  }
}

export const tableIsHeld = (): ApiError =>
  new ApiError('rate_limited', 'The table is being filled, read or changed; try again in a moment', { retry_after: 5 });
