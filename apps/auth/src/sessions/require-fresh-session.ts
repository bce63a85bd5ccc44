import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';

const FRESH_SESSION_MS = 15 * 60_000;

/**
 * For operations that a stolen session must not allow: the caller must have signed in recently, with password and second
 * factor. Sessions of the command line, which are stored in a file for weeks, do not qualify.
 * @throws ApiError whose `details.sign_in_within_seconds` lets a client offer a sign-in
 */
export async function requireFreshSession(tx: Transaction, { caller }: Context): Promise<void> {
  const { session: id, user: userId } = caller;
  const createdAt = { gt: new Date(Date.now() - FRESH_SESSION_MS) };
  const found = id === undefined ? 0 : await tx.session.count({ where: { id, userId, client: 'web', createdAt } });
  if (found === 0)
    throw new ApiError(
      'forbidden',
      'This operation requires a sign-in with email and password within the last 15 minutes. Sign in again.',
      { sign_in_within_seconds: FRESH_SESSION_MS / 1000 },
    );
}
