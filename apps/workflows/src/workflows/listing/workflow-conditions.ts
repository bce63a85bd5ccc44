import type { Caller } from '@millrace/contracts/kit/envelope';
import { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inReadableSpaces, inVault } from '@millrace/persistence/tenancy';

/** SQL conditions on `workflows.workflow w`, for `findWorkflowPage`. */
export const inCallerVault = (caller: Caller): Prisma.Sql => Prisma.sql`w.vault_id = ${inVault(caller).vaultId}::uuid`;

export function inReadableSpacesOnly(caller: Caller): Prisma.Sql[] {
  const { spaceId } = inReadableSpaces(caller);
  return spaceId ? [Prisma.sql`w.space_id = ANY(${spaceId.in}::uuid[])`] : [];
}

/** Matches an id from the request. A value that is not an id matches nothing. */
export function hasPlaceId(column: 'space_id' | 'project_id', id: string | undefined): Prisma.Sql[] {
  if (id === undefined) return [];
  return [isId(id) ? Prisma.sql`w.${Prisma.raw(column)} = ${id}::uuid` : Prisma.sql`false`];
}

export const hasDatabase = (expected: boolean | undefined): Prisma.Sql[] =>
  expected === undefined ? [] : [Prisma.sql`w.has_database = ${expected}`];
