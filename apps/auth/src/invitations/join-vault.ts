import { DEFAULT_ROLES } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Invitation, Prisma, User } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { byUser, noteAudit } from '../audit/write-audit-entry.js';
import { hasRoles } from '../roles/require-roles.js';
import { lockVault } from '../vaults/lock-vault.js';
import { notOpen } from './find-open-invitation.js';
import { isOpen } from './to-invitation.js';

/** How somebody who joins will sign in, and what they are called. */
export type Joining = Pick<Prisma.UserCreateManyInput, 'name' | 'passwordHash' | 'isGoogle' | 'googleSubject'>;

/**
 * Accepts an invitation: makes the user, in its vault and with its role. The update that looks whether it is open is the
 * one that closes it, so a link works once.
 * @returns `taken` where its email is an account's; the caller then rolls back
 * @throws ApiError `expired_token` where it is not open any more
 */
export async function joinVault(
  tx: Transaction,
  { id, vaultId }: Pick<Invitation, 'id' | 'vaultId'>,
  joining: Joining,
  context: Context,
): Promise<User | 'taken'> {
  const vault = await lockVault(tx, vaultId);
  const [invitation] = await tx.invitation.updateManyAndReturn({
    where: { id, ...isOpen() },
    data: { acceptedAt: new Date() },
  });
  if (!invitation) throw notOpen();
  const { role, email } = invitation;
  // A plan may have changed since; whoever was promised more then is a member.
  const vaultRole = hasRoles(vault) ? role : DEFAULT_ROLES.vault;
  const data = { id: newId(), vaultId, vaultRole, email, ...joining };
  const [user] = await tx.user.createManyAndReturn({ data: [data], skipDuplicates: true });
  if (!user) return 'taken';
  await noteAudit(tx, {
    ...byUser(user, context),
    action: 'user.joined',
    target: { type: 'invitation', id, name: email },
  });
  return user;
}
