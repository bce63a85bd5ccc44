import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';
import { lockExports } from '../records/lock-exports.js';

/** Limits of unfinished exports, so that all users get their turn. */
const MAX_PER_VAULT = 20;
const MAX_PER_USER = 10;
const RETRY_AFTER_S = 30;

/** Checks the limits, and locks the vault's exports until the transaction ends. @throws ApiError `rate_limited` */
export async function limitUnfinishedExports(tx: Transaction, { vault, user }: Caller): Promise<void> {
  await lockExports(tx, vault);
  const unfinished = { vaultId: vault, status: { in: ['PENDING', 'RUNNING'] } };
  const users = await tx.export.groupBy({ by: ['user'], where: unfinished, _count: true });
  const total = users.reduce((sum, { _count }) => sum + _count, 0);
  const own = users.find((entry) => entry.user === user)?._count ?? 0;
  if (total < MAX_PER_VAULT && own < MAX_PER_USER) return;
  const message = `At most ${MAX_PER_USER} exports of a user and ${MAX_PER_VAULT} of a vault may be unfinished (you have ${own}, the vault ${total}). Wait until some have finished.`;
  throw new ApiError('rate_limited', message, {
    retry_after: RETRY_AFTER_S,
  });
}
