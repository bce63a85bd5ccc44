import type { Transaction } from '@millrace/persistence/database';

/** Revokes the open invitations of a user who loses the right to invite: an invitation must not outlast that right. */
export async function revokeInvitationsBy(tx: Transaction, user: string): Promise<void> {
  const open = { invitedBy: user, acceptedAt: null, revokedAt: null };
  await tx.invitation.updateMany({ where: open, data: { revokedAt: new Date() } });
}
