import type { Caller } from '@millrace/contracts/kit/envelope';
import {
  strongestSpaceRole,
  strongestVaultRole,
  type SpaceRole,
  type VaultRole,
} from '@millrace/contracts/kit/permissions';
import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** An API token's SHA-256 in hex, or a session of a user; or a user of a vault, where another service vouches for them. */
export type Credential = { tokenHash: string } | { user: string; session: string } | { user: string; vault: string };

type Client = Pick<Database['client'], '$queryRaw'>;

interface Row {
  user: string;
  vault: string;
  vaultRole: VaultRole;
  teamRoles: VaultRole[];
  /** Space and role, one pair for each assignment, of the user's own and of their teams. */
  spaces: [string, SpaceRole][];
}

/** Who stands behind a credential, with all that their own roles and those of their teams add up to; in one question. */
export async function findCaller(client: Client, credential: Credential): Promise<Caller | null> {
  const [caller] = await findCallers(client, whose(credential));
  return caller ?? null;
}

/** The same for several users of a vault; those who are not in it, or disabled, are left out. */
export const findCallersIn = (client: Client, vault: string, users: readonly string[]): Promise<Caller[]> =>
  findCallers(client, Prisma.sql`u.vault_id = ${vault}::uuid AND u.id = ANY(${users}::uuid[])`);

async function findCallers(client: Client, who: Prisma.Sql): Promise<Caller[]> {
  const rows = await client.$queryRaw<Row[]>`
    SELECT u.id::text AS "user", u.vault_id::text AS vault, u.vault_role AS "vaultRole",
      coalesce((SELECT jsonb_agg(DISTINCT t.vault_role) FROM auth.team_member m JOIN auth.team t ON t.id = m.team_id
        WHERE m.user_id = u.id AND t.vault_role IS NOT NULL), '[]') AS "teamRoles",
      coalesce((SELECT jsonb_agg(jsonb_build_array(a.space_id, a.role)) FROM auth.space_assignment a
        WHERE a.user_id = u.id OR a.team_id IN (SELECT m.team_id FROM auth.team_member m WHERE m.user_id = u.id)),
        '[]') AS spaces
    FROM auth."user" u
    WHERE u.disabled_at IS NULL AND ${who}`;
  return rows.map(toCaller);
}

function whose(credential: Credential): Prisma.Sql {
  if ('tokenHash' in credential) return Prisma.sql`u.token_hash = ${credential.tokenHash}`;
  if ('vault' in credential) {
    return Prisma.sql`u.id = ${credential.user}::uuid AND u.vault_id = ${credential.vault}::uuid`;
  }
  return Prisma.sql`u.id = ${credential.user}::uuid AND EXISTS (
    SELECT FROM auth.session s
    WHERE s.id = ${credential.session}::uuid AND s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > now())`;
}

/** Roles add up: the most permissive wins. Owners enter every space. */
function toCaller({ user, vault, vaultRole, teamRoles, spaces }: Row): Caller {
  const effective = strongestVaultRole([vaultRole, ...teamRoles]) ?? vaultRole;
  return { user, vault, vaultRole: effective, spaces: effective === 'owner' ? 'all' : strongestBySpace(spaces) };
}

function strongestBySpace(held: Row['spaces']): Record<string, SpaceRole> {
  const roles: Record<string, SpaceRole> = {};
  for (const [space, role] of held) {
    const before = roles[space];
    roles[space] = before === undefined ? role : (strongestSpaceRole([before, role]) ?? role);
  }
  return roles;
}
