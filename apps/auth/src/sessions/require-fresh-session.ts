import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';

const FRESH_MS = 15 * 60_000;

/**
 * For what a stolen session must not be enough for: whoever asks showed their password, and second factor, lately.
 * Sessions of the command line last for weeks in a file and are none of these.
 * @throws ForbiddenError
 */
export async function requireFreshSession(tx: Transaction, { caller }: Context): Promise<void> {
  const { session: id, user: userId } = caller;
  const createdAt = { gt: new Date(Date.now() - FRESH_MS) };
  const found = id === undefined ? 0 : await tx.session.count({ where: { id, userId, client: 'web', createdAt } });
  if (found === 0)
    throw new ForbiddenError('This needs a sign-in of the last 15 minutes, with email and password: sign in again');
}
