import type { Caller } from '@millrace/contracts/kit/envelope';

/** Prisma filter that keeps every query inside the caller's vault. */
export const inVault = (caller: Caller): { vaultId: string } => ({ vaultId: caller.vault });

/** Prisma filter by space for lists: nothing for those who enter every space. */
export function inSpaces(caller: Caller): { spaceId?: { in: string[] } } {
  return caller.spaces === 'all' ? {} : { spaceId: { in: Object.keys(caller.spaces) } };
}
