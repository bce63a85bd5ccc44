import type { Transaction } from '@millrace/persistence/database';
import type { InstanceAdmin, User } from '@millrace/persistence/generated/client';

export type AdminRow = InstanceAdmin & { user: User };

/** Serializes changes of administrators until the transaction ends, so that two of them do not revoke each other. */
export async function lockAdmins(tx: Pick<Transaction, '$executeRaw'>): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('instance admins', 0))`;
}

/** @returns the administrator, and whether the user had the role before; null if there is no account with this email */
export async function addAdmin(
  tx: Transaction,
  email: string,
  grantedBy: string | null,
): Promise<{ row: AdminRow; isNew: boolean } | null> {
  const user = await tx.user.findUnique({ where: { email } });
  if (!user) return null;
  await lockAdmins(tx);
  const existing = await tx.instanceAdmin.findUnique({ where: { userId: user.id } });
  const row = existing ?? (await tx.instanceAdmin.create({ data: { userId: user.id, grantedBy } }));
  return { row: { ...row, user }, isNew: existing === null };
}
