import type { Caller } from '@millrace/contracts/kit/envelope';
import { hasSpaceRole } from '@millrace/contracts/kit/permissions';

/** Prisma filter that limits a query to the vault of the caller. */
export const inVault = (caller: Caller): { vaultId: string } => ({ vaultId: caller.vault });

/** Prisma filter that limits a list to the spaces that the caller may read; empty if they may enter every space. */
export function inReadableSpaces(caller: Caller): { spaceId?: { in: string[] } } {
  if (caller.spaces === 'all') return {};
  return { spaceId: { in: Object.keys(caller.spaces).filter((space) => canRead(caller, space)) } };
}

/** The same for query results, which the role `insights` may also see. */
export function inQueryableSpaces({ spaces }: Caller): { spaceId?: { in: string[] } } {
  return spaces === 'all' ? {} : { spaceId: { in: Object.keys(spaces) } };
}

/** True if the caller may see the content of a space; the role `insights` allows query results only. */
export function canRead({ spaces }: Pick<Caller, 'spaces'>, space: string): boolean {
  if (spaces === 'all') return true;
  const role = spaces[space];
  return role !== undefined && hasSpaceRole(role, 'read');
}
