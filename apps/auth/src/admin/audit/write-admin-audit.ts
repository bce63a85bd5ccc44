import type { ADMIN_ACTIONS } from '@millrace/contracts/auth/admin/admin-audit';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';

/** What an administrator did. */
export interface AdminAct {
  action: (typeof ADMIN_ACTIONS)[number];
  target?: {
    type: 'user' | 'vault' | 'admin_token' | 'dead_letter' | 'task' | 'service' | 'join_token' | 'worker';
    id: string;
    name?: string;
  };
  details?: Prisma.InputJsonObject;
}

/** Writes an entry of the installation's audit log, in the transaction of the act itself. */
export async function writeAdminAudit(tx: Transaction, act: AdminAct, context: Context): Promise<void> {
  const { user, instance } = context.caller;
  const actor = await tx.user.findUnique({ where: { id: user }, select: { email: true } });
  await insertAdminAudit(tx, act, {
    actorId: user,
    actorEmail: actor?.email ?? null,
    credential: instance?.via ?? 'session',
    ...clientFields(context.envelope),
  });
}

/** @param by who did it; without a user, somebody with access to the server by a command */
export async function insertAdminAudit(
  tx: Pick<Transaction, 'adminAuditEntry'>,
  { action, target, details = {} }: AdminAct,
  by: Pick<Prisma.AdminAuditEntryCreateInput, 'actorId' | 'actorEmail' | 'credential' | 'address' | 'agent'>,
): Promise<void> {
  const data = { targetType: target?.type ?? null, targetId: target?.id ?? null, targetName: target?.name ?? null };
  await tx.adminAuditEntry.create({ data: { id: newId(), action, details, ...data, ...by } });
}
