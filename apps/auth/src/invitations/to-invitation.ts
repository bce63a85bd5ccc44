import type { z } from 'zod';
import type { invitation } from '@millrace/contracts/auth/invitations';
import type { VaultRole } from '@millrace/contracts/kit/permissions';
import type { Invitation, Prisma } from '@millrace/persistence/generated/client';

type Record = z.input<typeof invitation>;
type Status = Record['status'];

/** Prisma filter: invitations whose link still works. */
export const openInvitation = (now = new Date()) =>
  ({ acceptedAt: null, revokedAt: null, expiresAt: { gt: now } }) satisfies Prisma.InvitationWhereInput;

/** Prisma filter by status. */
export function withStatus(status: Status | undefined): Prisma.InvitationWhereInput {
  if (status === undefined) return {};
  const now = new Date();
  const filters: { [S in Status]: Prisma.InvitationWhereInput } = {
    pending: openInvitation(now),
    accepted: { acceptedAt: { not: null } },
    revoked: { revokedAt: { not: null } },
    expired: { acceptedAt: null, revokedAt: null, expiresAt: { lte: now } },
  };
  return filters[status];
}

export const toInvitation = (row: Invitation): Record => ({
  id: row.id,
  email: row.email,
  role: row.role as VaultRole,
  status: statusOf(row),
  ...(row.invitedBy !== null && { invited_by: row.invitedBy }),
  created_date: row.createdAt.toISOString(),
  expires_date: row.expiresAt.toISOString(),
});

function statusOf({ acceptedAt, revokedAt, expiresAt }: Invitation): Status {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt > new Date() ? 'pending' : 'expired';
}
