import type { SpaceRole, VaultRole } from '@millrace/contracts/kit/permissions';
import type { Database } from '@millrace/persistence/database';

/** A role and its source; without a team it is assigned to the user directly. */
export interface RoleWithSource<R> {
  role: R;
  source: 'direct' | 'team';
  team?: { id: string; name: string };
}

type Client = Pick<Database['client'], 'user' | 'spaceAssignment' | 'team'>;

const roleOfTeam = <R>(role: string, team: { id: bigint; name: string }): RoleWithSource<R> => ({
  role: role as R,
  source: 'team',
  team: { id: String(team.id), name: team.name },
});

/** A user's roles in their vault, direct ones first. */
export async function findVaultRoles(client: Client, user: string): Promise<RoleWithSource<VaultRole>[]> {
  const [row, teams] = await Promise.all([
    client.user.findUnique({ where: { id: user }, select: { vaultRole: true } }),
    client.team.findMany({
      where: { vaultRole: { not: null }, members: { some: { userId: user } } },
      orderBy: { name: 'asc' },
    }),
  ]);
  const direct = row ? [{ role: row.vaultRole as VaultRole, source: 'direct' as const }] : [];
  return [...direct, ...teams.map((team) => roleOfTeam<VaultRole>(team.vaultRole ?? '', team))];
}

/** A user's roles in a space, direct ones first. */
export async function findSpaceRoles(
  client: Client,
  user: string,
  space: string,
): Promise<RoleWithSource<SpaceRole>[]> {
  const rows = await client.spaceAssignment.findMany({
    where: { spaceId: space, OR: [{ userId: user }, { team: { members: { some: { userId: user } } } }] },
    include: { team: true },
    orderBy: [{ userId: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }],
  });
  return rows.map(({ role, team }) =>
    team ? roleOfTeam<SpaceRole>(role, team) : { role: role as SpaceRole, source: 'direct' },
  );
}
