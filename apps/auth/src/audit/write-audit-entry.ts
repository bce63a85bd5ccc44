import type { z } from 'zod';
import type { auditEntry } from '@millrace/contracts/auth/audit-log';
import { clientFields } from '@millrace/messaging/rpc/client-fields';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma, User } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';

/** A privileged change. `actor` is the user who made it; the entry stores their email, because the account may be deleted. */
export interface NewAuditEntry {
  vault: string;
  action: z.output<typeof auditEntry>['action'];
  actor: string | null;
  target?: {
    type:
      | 'user'
      | 'team'
      | 'space'
      | 'session'
      | 'invitation'
      | 'secret_variable'
      | 'payment_method'
      | 'vault'
      | 'webhook'
      | 'workflow'
      | 'run';
    id: string;
    name?: string;
  };
  details?: Prisma.InputJsonObject;
  address?: string;
  agent?: string;
}

/** Writes an entry of the audit log in the transaction of the change itself. */
export async function writeAuditEntry(tx: Transaction, entry: NewAuditEntry): Promise<void> {
  const actor = entry.actor === null ? null : await tx.user.findUnique({ where: { id: entry.actor } });
  await tx.auditEntry.create({
    data: {
      id: newId(),
      vaultId: entry.vault,
      action: entry.action,
      actorId: entry.actor,
      actorEmail: actor?.email ?? null,
      targetType: entry.target?.type ?? null,
      targetId: entry.target?.id ?? null,
      targetName: entry.target?.name ?? null,
      details: entry.details ?? {},
      address: entry.address ?? null,
      agent: entry.agent ?? null,
    },
  });
}

type Actor = Pick<NewAuditEntry, 'vault' | 'actor' | 'address' | 'agent'>;

/** User, vault and client of a request by a signed-in caller. */
export const actorFromCaller = (context: Context): Actor => ({
  vault: context.caller.vault,
  actor: context.caller.user,
  ...clientFields(context.envelope),
});

/** User, vault and client of a request that identifies its user itself, such as a sign-in. */
export const actorFromUser = (user: Pick<User, 'id' | 'vaultId'>, context: Context): Actor => ({
  vault: user.vaultId,
  actor: user.id,
  ...clientFields(context.envelope),
});

/** User, vault and client of another service's event; without a user, the platform made the change. */
export const actorFromEvent = (event: {
  vault: string;
  user?: string | null | undefined;
  address?: string | undefined;
  agent?: string | undefined;
}): Actor => ({
  vault: event.vault,
  actor: event.user ?? null,
  ...(event.address !== undefined && { address: event.address }),
  ...(event.agent !== undefined && { agent: event.agent }),
});
