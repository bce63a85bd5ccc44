import type { z } from 'zod';
import type { member } from '@millrace/contracts/auth/members';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { type VaultRole, strongestVaultRole } from '@millrace/contracts/kit/permissions';
import type { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

export const withTeams = {
  memberships: { include: { team: true }, orderBy: { addedAt: 'asc' } },
} satisfies Prisma.UserInclude;

export type FullMember = Prisma.UserGetPayload<{ include: typeof withTeams }>;

/** Finds a user of the caller's vault. @throws NotFoundError */
export async function findMember(
  client: Pick<Database['client'], 'user'>,
  id: string,
  caller: Caller,
): Promise<FullMember> {
  const where = { id, ...inVault(caller) };
  const found = isId(id) ? await client.user.findFirst({ where, include: withTeams }) : null;
  if (!found) throw new NotFoundError(`User ${id}`);
  return found;
}

export function toMember(row: FullMember): z.input<typeof member> {
  const teams = row.memberships.map(({ team }) => team);
  const direct = row.vaultRole as VaultRole;
  const roles = [direct, ...teams.flatMap(({ vaultRole }) => (vaultRole === null ? [] : [vaultRole as VaultRole]))];
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    vault_role: direct,
    effective_role: strongestVaultRole(roles) ?? direct,
    teams: teams.map(({ id, name }) => ({ id: String(id), name })),
    is_google: row.isGoogle,
    mfa_enabled: row.mfaConfirmedAt !== null,
    disabled: row.disabledAt !== null,
    created_date: row.createdAt.toISOString(),
  };
}
