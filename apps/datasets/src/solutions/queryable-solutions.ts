import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Prisma } from '@millrace/persistence/generated/client';
import { inQueryableSpaces, inVault } from '@millrace/persistence/tenancy';

/** Prisma filter: solutions whose tables the caller may query, through a role in their space or because they are public. */
export function queryableSolutions(caller: Caller): Prisma.SolutionWhereInput {
  if (caller.spaces === 'all') return inVault(caller);
  return { ...inVault(caller), OR: [inQueryableSpaces(caller), { isPublic: true }] };
}
