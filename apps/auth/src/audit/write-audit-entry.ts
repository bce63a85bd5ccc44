import type { z } from 'zod';
import type { auditEntry } from '@millrace/contracts/auth/audit-log';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Prisma, User } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';

/** One privileged change. `actor` is the user who did it; their email is looked up, for the account may end. */
export interface AuditNote {
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
      | 'workflow';
    id: string;
    name?: string;
  };
  details?: Prisma.InputJsonObject;
  address?: string;
}

/** Writes a note into the audit log, in the transaction of the change itself. */
export async function noteAudit(tx: Transaction, note: AuditNote): Promise<void> {
  const actor = note.actor === null ? null : await tx.user.findUnique({ where: { id: note.actor } });
  await tx.auditEntry.create({
    data: {
      id: newId(),
      vaultId: note.vault,
      action: note.action,
      actorId: note.actor,
      actorEmail: actor?.email ?? null,
      targetType: note.target?.type ?? null,
      targetId: note.target?.id ?? null,
      targetName: note.target?.name ?? null,
      details: note.details ?? {},
      address: note.address ?? null,
    },
  });
}

type By = Pick<AuditNote, 'vault' | 'actor' | 'address'>;

/** From which address a request came. */
export const fromAddress = ({ envelope }: Context): Pick<AuditNote, 'address'> =>
  envelope.client ? { address: envelope.client.address } : {};

/** Who did it, where and from which address, of a request by a signed-in caller. */
export const byCaller = (context: Context): By => ({
  vault: context.caller.vault,
  actor: context.caller.user,
  ...fromAddress(context),
});

/** The same of a user who shows in the request itself who they are. */
export const byUser = (user: Pick<User, 'id' | 'vaultId'>, context: Context): By => ({
  vault: user.vaultId,
  actor: user.id,
  ...fromAddress(context),
});

/** The same of a change that another service tells of; without a user the platform did it. */
export const byEvent = (told: {
  vault: string;
  user?: string | null | undefined;
  address?: string | undefined;
}): By => ({
  vault: told.vault,
  actor: told.user ?? null,
  ...(told.address !== undefined && { address: told.address }),
});
