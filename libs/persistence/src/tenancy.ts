import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';

/** Prisma filter that keeps every query inside the caller's vault. */
export const inVault = (caller: Caller): { vaultId: string } => ({ vaultId: caller.vault });

/** Prisma filter by space for lists: nothing for those who enter every space, else the spaces where they may read. */
export function inReadableSpaces(caller: Caller): { spaceId?: { in: string[] } } {
  if (caller.spaces === 'all') return {};
  return { spaceId: { in: Object.keys(caller.spaces).filter((space) => canRead(caller, space)) } };
}

/** The same for query results, which the role `insights` may see, too. */
export function inQueryableSpaces({ spaces }: Caller): { spaceId?: { in: string[] } } {
  return spaces === 'all' ? {} : { spaceId: { in: Object.keys(spaces) } };
}

/** Whether the caller may see what a space holds; the role `insights` shows query results only. */
export function canRead({ spaces }: Pick<Caller, 'spaces'>, space: string): boolean {
  if (spaces === 'all') return true;
  const role = spaces[space];
  return role !== undefined && hasSpaceRole(role, 'read');
}
