import { DEFAULT_ROLES } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { Invitation, Prisma, User } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { actorFromUser, writeAuditEntry } from '../audit/write-audit-entry.js';
import { hasRoles } from '../roles/require-roles.js';
import { lockVault } from '../vaults/lock-vault.js';
import { notOpenError } from './find-open-invitation.js';
import { openInvitation } from './to-invitation.js';

/** Name and sign-in method of a new user. */
export type NewMember = Pick<Prisma.UserCreateManyInput, 'name' | 'passwordHash' | 'isGoogle' | 'googleSubject'>;

/**
 * Accepts an invitation: creates the user in its vault with its role. One statement checks that the invitation is open and
 * closes it, so that a link works once.
 * @returns `taken` if the email already has an account; the caller then rolls back
 * @throws ApiError `expired_token` if the invitation is no longer open
 */
export async function joinVault(
  tx: Transaction,
  { id, vaultId }: Pick<Invitation, 'id' | 'vaultId'>,
  member: NewMember,
  context: Context,
): Promise<User | 'taken'> {
  const vault = await lockVault(tx, vaultId);
  const [invitation] = await tx.invitation.updateManyAndReturn({
    where: { id, ...openInvitation() },
    data: { acceptedAt: new Date() },
  });
  if (!invitation) throw notOpenError();
  const { role, email } = invitation;
  // If the plan no longer includes roles, the user joins with the default role.
  const vaultRole = hasRoles(vault) ? role : DEFAULT_ROLES.vault;
  const data = { id: newId(), vaultId, vaultRole, email, ...member };
  const [user] = await tx.user.createManyAndReturn({ data: [data], skipDuplicates: true });
  if (!user) return 'taken';
  await writeAuditEntry(tx, {
    ...actorFromUser(user, context),
    action: 'user.joined',
    target: { type: 'invitation', id, name: email },
  });
  return user;
}
