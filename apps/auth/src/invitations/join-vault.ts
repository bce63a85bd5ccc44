import type { Transaction } from '@millrace/persistence/database';
import type { Prisma, User } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { isOpen } from './to-invitation.js';

/** How somebody who joins will sign in, and what they are called. */
export type Joining = Pick<Prisma.UserCreateManyInput, 'name' | 'passwordHash' | 'isGoogle' | 'googleSubject'>;

/**
 * Accepts an invitation: makes the user, in its vault and with its role. The update that looks whether it is open is the
 * one that closes it, so a link works once.
 * @returns `closed` where it is not open any more, `taken` where its email is an account's; the caller then rolls back
 */
export async function joinVault(tx: Transaction, id: string, joining: Joining): Promise<User | 'closed' | 'taken'> {
  const [invitation] = await tx.invitation.updateManyAndReturn({
    where: { id, ...isOpen() },
    data: { acceptedAt: new Date() },
  });
  if (!invitation) return 'closed';
  const { vaultId, role, email } = invitation;
  const data = { id: newId(), vaultId, vaultRole: role, email, ...joining };
  const [user] = await tx.user.createManyAndReturn({ data: [data], skipDuplicates: true });
  return user ?? 'taken';
}
