import type { z } from 'zod';
import type { team } from '@millrace/contracts/auth/teams';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { VaultRole } from '@millrace/contracts/kit/permissions';
import type { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { toNumericId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

export const withMembers = {
  vault: true,
  members: { include: { user: true }, orderBy: { addedAt: 'asc' } },
} satisfies Prisma.TeamInclude;

export type FullTeam = Prisma.TeamGetPayload<{ include: typeof withMembers }>;

/** Finds a team of the caller's vault. @throws NotFoundError */
export async function findTeam(
  client: Pick<Database['client'], 'team'>,
  id: string,
  caller: Caller,
): Promise<FullTeam> {
  const found = await client.team.findFirst({
    where: { id: toNumericId(id), ...inVault(caller) },
    include: withMembers,
  });
  if (!found) throw new NotFoundError(`Team ${id}`);
  return found;
}

export const toTeam = (row: FullTeam): z.input<typeof team> => ({
  id: String(row.id),
  name: row.name,
  description: row.description,
  vault_id: row.vaultId,
  vault: row.vault.name,
  ...(row.vaultRole !== null && { vault_role: row.vaultRole as VaultRole }),
  members: row.members.map(({ user: { id, email, name } }) => ({ id, email, name })),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
