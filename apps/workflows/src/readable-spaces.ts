import { hasSpaceRole } from '@millrace/contracts/kit/access';
import type { Caller } from '@millrace/contracts/kit/envelope';

/** Whether the caller may see what a space holds; the role `insights` shows query results only. */
export const mayRead = ({ spaces }: Caller, space: string): boolean => {
  if (spaces === 'all') return true;
  const role = spaces[space];
  return role !== undefined && hasSpaceRole(role, 'read');
};

/** Prisma filter that keeps a list inside the caller's vault and the spaces that they may read. */
export const inReadableSpaces = (caller: Caller): { vaultId: string; spaceId?: { in: string[] } } => ({
  vaultId: caller.vault,
  ...(caller.spaces !== 'all' && {
    spaceId: { in: Object.keys(caller.spaces).filter((space) => mayRead(caller, space)) },
  }),
});
