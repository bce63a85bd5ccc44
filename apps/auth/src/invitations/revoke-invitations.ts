import type { Transaction } from '@millrace/persistence/database';

/** Takes back what somebody offered while they could: an invitation must not outlast the right to make it. */
export async function revokeInvitationsBy(tx: Transaction, user: string): Promise<void> {
  const open = { invitedBy: user, acceptedAt: null, revokedAt: null };
  await tx.invitation.updateMany({ where: open, data: { revokedAt: new Date() } });
}
