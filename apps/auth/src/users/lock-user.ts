import type { Transaction } from '@millrace/persistence/database';
import type { UserWithRole } from './to-user.js';

/**
 * Locks a user to the end of the transaction and returns their current row. A sign-in during a password change thus either
 * commits first and is signed out by the change, or sees the new password.
 * @returns null if the user is deleted or disabled
 */
export async function lockUser(tx: Transaction, id: string): Promise<UserWithRole | null> {
  await tx.$queryRaw`SELECT 1 FROM auth."user" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return tx.user.findFirst({ where: { id, disabledAt: null }, include: { instanceAdmin: true } });
}
