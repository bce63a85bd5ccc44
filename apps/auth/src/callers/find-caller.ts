import type { Caller, InstanceAccess } from '@millrace/contracts/kit/envelope';
import {
  strongestSpaceRole,
  strongestVaultRole,
  type SpaceRole,
  type VaultRole,
} from '@millrace/contracts/kit/permissions';
import type { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';

/** An API token's SHA-256 in hex, a user's session, or a user of a vault whom another service has identified. */
export type Credential = { tokenHash: string } | { user: string; session: string } | { user: string; vault: string };

type Client = Pick<Database['client'], '$queryRaw'>;

interface Row {
  user: string;
  vault: string;
  vaultRole: VaultRole;
  teamRoles: VaultRole[];
  /** One pair of space and role for each assignment of the user and of their teams. */
  spaces: [string, SpaceRole][];
  isAdmin: boolean;
}

/** Finds the caller of a credential with their effective roles, from their own and their teams' assignments, in one query. */
export async function findCaller(client: Client, credential: Credential): Promise<Caller | null> {
  const [row] = await findRows(client, conditionFor(credential));
  // Only a session has the rights of an administrator: an API token is stored in scripts, and a schedule has nobody's consent.
  if (row)
    return toCaller(row, 'session' in credential && row.isAdmin ? { via: 'session', scope: 'write' } : undefined);
  return 'tokenHash' in credential ? findAdminTokenCaller(client, credential.tokenHash) : null;
}

async function findAdminTokenCaller(client: Client, tokenHash: string): Promise<Caller | null> {
  const [token] = await client.$queryRaw<{ user: string; scope: InstanceAccess['scope'] }[]>`
    SELECT user_id::text AS "user", scope FROM auth.admin_token
    WHERE token_hash = ${tokenHash} AND expires_at > now()`;
  if (!token) return null;
  const [row] = await findRows(client, Prisma.sql`u.id = ${token.user}::uuid`);
  return row ? toCaller(row, { via: 'token', scope: token.scope }) : null;
}

/** Finds the callers for several users of a vault. Leaves out users who are disabled or not in the vault. */
export async function findCallersIn(client: Client, vault: string, users: readonly string[]): Promise<Caller[]> {
  const rows = await findRows(client, Prisma.sql`u.vault_id = ${vault}::uuid AND u.id = ANY(${users}::uuid[])`);
  return rows.map((row) => toCaller(row));
}

function findRows(client: Client, condition: Prisma.Sql): Promise<Row[]> {
  return client.$queryRaw<Row[]>`
    SELECT u.id::text AS "user", u.vault_id::text AS vault, u.vault_role AS "vaultRole",
      coalesce((SELECT jsonb_agg(DISTINCT t.vault_role) FROM auth.team_member m JOIN auth.team t ON t.id = m.team_id
        WHERE m.user_id = u.id AND t.vault_role IS NOT NULL), '[]') AS "teamRoles",
      coalesce((SELECT jsonb_agg(jsonb_build_array(a.space_id, a.role)) FROM auth.space_assignment a
        WHERE a.user_id = u.id OR a.team_id IN (SELECT m.team_id FROM auth.team_member m WHERE m.user_id = u.id)),
        '[]') AS spaces,
      EXISTS (SELECT FROM auth.instance_admin i WHERE i.user_id = u.id) AS "isAdmin"
    FROM auth."user" u
    WHERE u.disabled_at IS NULL AND ${condition}`;
}

function conditionFor(credential: Credential): Prisma.Sql {
  if ('tokenHash' in credential) return Prisma.sql`u.token_hash = ${credential.tokenHash}`;
  if ('vault' in credential) {
    return Prisma.sql`u.id = ${credential.user}::uuid AND u.vault_id = ${credential.vault}::uuid`;
  }
  return Prisma.sql`u.id = ${credential.user}::uuid AND EXISTS (
    SELECT FROM auth.session s
    WHERE s.id = ${credential.session}::uuid AND s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > now())`;
}

/** The most permissive of several roles applies. Owners have access to every space. */
function toCaller({ user, vault, vaultRole, teamRoles, spaces }: Row, instance?: InstanceAccess): Caller {
  const effective = strongestVaultRole([vaultRole, ...teamRoles]) ?? vaultRole;
  return {
    ...{ user, vault, vaultRole: effective, spaces: effective === 'owner' ? 'all' : strongestBySpace(spaces) },
    ...(instance && { instance }),
  };
}

function strongestBySpace(assignments: Row['spaces']): Record<string, SpaceRole> {
  const roles: Record<string, SpaceRole> = {};
  for (const [space, role] of assignments) {
    const current = roles[space];
    roles[space] = current === undefined ? role : (strongestSpaceRole([current, role]) ?? role);
  }
  return roles;
}
