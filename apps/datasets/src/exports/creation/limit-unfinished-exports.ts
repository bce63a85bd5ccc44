import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';
import { lockExports } from '../records/lock-exports.js';

/** Exports of a vault, and of one of its users, that are not finished; beyond that nobody else would have a turn. */
const MAX_UNFINISHED = 20;
const MAX_UNFINISHED_OF_USER = 10;
const RETRY_AFTER_S = 30;

/** @throws ApiError `rate_limited`. Holds until the transaction ends, so that two at once do not pass as one. */
export async function limitUnfinishedExports(tx: Transaction, { vault, user }: Caller): Promise<void> {
  await lockExports(tx, vault);
  const unfinished = { vaultId: vault, status: { in: ['PENDING', 'RUNNING'] } };
  const users = await tx.export.groupBy({ by: ['user'], where: unfinished, _count: true });
  const all = users.reduce((sum, { _count }) => sum + _count, 0);
  const own = users.find((one) => one.user === user)?._count ?? 0;
  if (all < MAX_UNFINISHED && own < MAX_UNFINISHED_OF_USER) return;
  throw new ApiError('rate_limited', 'Too many exports are under way; wait until some have completed', {
    retry_after: RETRY_AFTER_S,
  });
}
