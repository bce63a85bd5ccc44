import type { Transaction } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';

/**
 * Takes a user for the rest of the transaction, as they are now: whoever signs in with a password that is being changed
 * either comes first, and is signed out by the change, or sees it.
 * @returns null where the user is gone or disabled
 */
export async function lockUser(tx: Transaction, id: string): Promise<User | null> {
  await tx.$queryRaw`SELECT 1 FROM auth."user" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return tx.user.findFirst({ where: { id, disabledAt: null } });
}
