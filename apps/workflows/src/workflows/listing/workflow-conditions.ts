import type { Caller } from '@millrace/contracts/kit/envelope';
import { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inReadableSpaces, inVault } from '@millrace/persistence/tenancy';

/** Conditions on `workflows.workflow w`, as `findPage` takes them. */
export const inCallerVault = (caller: Caller): Prisma.Sql => Prisma.sql`w.vault_id = ${inVault(caller).vaultId}::uuid`;

export function inReadableSpacesOnly(caller: Caller): Prisma.Sql[] {
  const { spaceId } = inReadableSpaces(caller);
  return spaceId ? [Prisma.sql`w.space_id = ANY(${spaceId.in}::uuid[])`] : [];
}

/** By an id that a client gave; what is not an id matches nothing. */
export function hasPlaceId(column: 'space_id' | 'project_id', id: string | undefined): Prisma.Sql[] {
  if (id === undefined) return [];
  return [isId(id) ? Prisma.sql`w.${Prisma.raw(column)} = ${id}::uuid` : Prisma.sql`false`];
}

export const hasDatabase = (wanted: boolean | undefined): Prisma.Sql[] =>
  wanted === undefined ? [] : [Prisma.sql`w.has_database = ${wanted}`];
