import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { postgresOptions, type PostgresServer } from '../connections/postgres-options.js';
import { RolesMissingError } from './roles-missing-error.js';
import { scramVerifier } from './scram-verifier.js';
import { loginVariable, passwordOf, type ServiceLogin } from './service-login.js';
import { SERVICE_RIGHTS } from './service-rights.js';

interface Role {
  name: string;
  isPowerful: boolean;
  isOwner: boolean;
  /** This user may change the role. */
  canAdminister: boolean;
  /** This user may act as the role. */
  canBecome: boolean;
  /** Another database in which the role has rights. */
  elsewhere: string | null;
}

/** Rights are limited only if the role has none of these attributes. */
const SELECT_ROLES = `
  SELECT r.rolname AS name, r.rolsuper OR r.rolcreaterole OR r.rolbypassrls OR r.rolreplication AS "isPowerful",
    r.rolname = current_user OR pg_has_role(r.oid, current_user, 'MEMBER') AS "isOwner",
    me.rolsuper OR me.rolcreaterole AND pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION') AS "canAdminister",
    pg_has_role(r.oid, 'SET') AND pg_has_role(r.oid, 'USAGE') AS "canBecome",
    (SELECT d.datname FROM pg_shdepend s JOIN pg_database d ON d.oid = s.dbid
     WHERE s.refclassid = 'pg_authid'::regclass AND s.refobjid = r.oid AND d.datname <> current_database() LIMIT 1) AS elsewhere
  FROM pg_roles r, pg_roles me WHERE me.rolname = current_user AND r.rolname = ANY($1)`;

/**
 * Creates the roles of the services that do not exist, and sets the passwords with which the services cannot sign in.
 * @throws RolesMissingError with the SQL for an administrator, if the owner of the database may not create roles
 */
export async function ensureRoles(
  client: Client,
  logins: readonly ServiceLogin[],
  server: PostgresServer,
): Promise<void> {
  const find = async () => (await client.query<Role>(SELECT_ROLES, [logins.map(({ role }) => role)])).rows;
  const existing = new Map((await find()).map((role) => [role.name, role]));
  const missing = logins.filter(({ role }) => !existing.has(role));
  if (missing.length > 0 && !(await canCreateRoles(client)))
    throw new RolesMissingError(missing, await ownerOf(client));
  for (const login of missing)
    await client.query(`CREATE ROLE ${escapeIdentifier(login.role)} LOGIN ${passwordClause(login)}`);
  for (const login of logins) {
    const role = existing.get(login.role);
    if (role) await checkRole(client, login, role, server);
  }
  const roles = new Map((await find()).map((role) => [role.name, role]));
  for (const login of logins) {
    const role = roles.get(login.role);
    // Its tables are changed by migrations, and are in backups.
    if (role && SERVICE_RIGHTS[login.service].creates && !role.canBecome) await joinRole(client, login, role);
  }
}

async function checkRole(client: Client, login: ServiceLogin, role: Role, server: PostgresServer): Promise<void> {
  const variable = loginVariable(login.service);
  if (role.isOwner || role.isPowerful)
    throw new Error(
      `The role ${role.name} of the service ${login.service} ${role.isOwner ? 'owns the database' : 'is a superuser, or may create roles, replicate or bypass row security'}, so its rights cannot be limited. Name another user in ${variable}.`,
    );
  if (login.url === null || passwordOf(login) === '' || (await canSignIn(login.url, server))) return;
  if (!role.canAdminister)
    throw new Error(
      `The role ${role.name} cannot sign in with the password in ${variable}, and this user may not change it.`,
    );
  if (role.elsewhere !== null)
    throw new Error(
      `The role ${role.name} has another password than ${variable}, and is in use in the database ${role.elsewhere}. Two installations in one server need roles of different names: set ${variable}.`,
    );
  await client.query(`ALTER ROLE ${escapeIdentifier(login.role)} LOGIN ${passwordClause(login)}`);
}

async function joinRole(client: Client, login: ServiceLogin, { canAdminister }: Role): Promise<void> {
  if (!canAdminister) throw new RolesMissingError([], await ownerOf(client), login.role);
  await client.query(`GRANT ${escapeIdentifier(login.role)} TO CURRENT_USER WITH INHERIT TRUE, SET TRUE`);
}

const passwordClause = (login: ServiceLogin): string =>
  passwordOf(login) === '' ? '' : `PASSWORD ${escapeLiteral(scramVerifier(passwordOf(login)))}`;

async function canCreateRoles(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(
    'SELECT rolsuper OR rolcreaterole AS can FROM pg_roles WHERE rolname = current_user',
  );
  return rows[0]?.can ?? false;
}

async function ownerOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ owner: string }>('SELECT current_user AS owner');
  return rows[0]?.owner ?? '';
}

/** @returns false only if the server refuses the password */
async function canSignIn(url: string, { tls }: PostgresServer): Promise<boolean> {
  const client = new Client({ ...postgresOptions({ url, ...(tls && { tls }) }), connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    return true;
  } catch (error) {
    // invalid_authorization_specification, invalid_password; the role may also not be allowed to sign in.
    return !['28000', '28P01'].includes(String((error as { code?: string }).code));
  } finally {
    await client.end().catch(() => undefined);
  }
}
