import { Client, escapeIdentifier } from 'pg';
import { postgresOptions, type PostgresServer } from '../connections/postgres-options.js';
import { ensureRoles } from './ensure-roles.js';
import { listRights, readCatalog } from './list-rights.js';
import { keyOf, readRights, type Right } from './read-rights.js';
import type { ServiceLogin } from './service-login.js';
import { MESSAGE_POLICIES, SERVICE_RIGHTS, WRITE_POLICIES } from './service-rights.js';
import { transferTables } from './transfer-tables.js';

/** Two migrations of a database do this one after the other. */
const LOCK = 'service roles';
/** A policy waits for transactions that use its table; later ones wait for it. */
const LOCK_TIMEOUT = '15s';

/**
 * Gives the role of each service exactly the rights in `SERVICE_RIGHTS`. It creates the roles that are missing, changes
 * only what differs, and needs an up-to-date schema. The user of `server` must own the tables.
 */
export async function grantRights(server: PostgresServer, logins: readonly ServiceLogin[]): Promise<void> {
  const client = new Client({ ...postgresOptions(server), application_name: 'millrace-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [LOCK]);
    await ensureRoles(client, logins, server);
    await applyRights(client, logins);
    await applyPolicies(client, logins);
    for (const { service, role } of logins) {
      const { creates } = SERVICE_RIGHTS[service];
      if (creates) await transferTables(client, creates, role);
    }
    await requireTemporaryTables(client, logins);
  } finally {
    await client.end();
  }
}

async function applyRights(client: Client, logins: readonly ServiceLogin[]): Promise<void> {
  const catalog = await readCatalog(client);
  const required = logins.flatMap((login) => listRights(login, catalog));
  const granted = await readRights(
    client,
    logins.map(({ role }) => role),
  );
  const [requiredKeys, grantedKeys] = [new Set(required.map(keyOf)), new Set(granted.map(keyOf))];
  const statements = [
    ...(catalog.database === null ? [] : await publicRevocations(client, catalog.database)),
    ...toStatements(
      'REVOKE',
      'FROM',
      granted.filter((right) => !requiredKeys.has(keyOf(right))),
    ),
    ...toStatements(
      'GRANT',
      'TO',
      required.filter((right) => !grantedKeys.has(keyOf(right))),
    ),
  ];
  if (statements.length > 0) await client.query(`BEGIN; ${statements.join('; ')}; COMMIT`);
}

function toStatements(verb: string, preposition: string, rights: readonly Right[]): string[] {
  const groups = Map.groupBy(rights, ({ object, role }) => `${object} ${preposition} ${escapeIdentifier(role)}`);
  return [...groups].map(
    ([target, group]) => `${verb} ${group.map(({ privilege }) => privilege).join(', ')} ON ${target}`,
  );
}

/** What every role of the server could do, and no service needs. */
async function publicRevocations(client: Client, database: string): Promise<string[]> {
  const { rows } = await client.query<{ temporary: boolean; create: boolean }>(`
    SELECT EXISTS (SELECT FROM aclexplode(coalesce(datacl, acldefault('d', datdba)))
        WHERE grantee = 0 AND privilege_type = 'TEMPORARY') AS temporary,
      EXISTS (SELECT FROM pg_namespace, aclexplode(nspacl)
        WHERE nspname = 'public' AND grantee = 0 AND privilege_type = 'CREATE') AS create
    FROM pg_database WHERE datname = current_database()`);
  return [
    ...(rows[0]?.temporary ? [`REVOKE TEMPORARY ON DATABASE ${escapeIdentifier(database)} FROM PUBLIC`] : []),
    ...(rows[0]?.create ? ['REVOKE CREATE ON SCHEMA public FROM PUBLIC'] : []),
  ];
}

/** A policy locks its table for a moment, so only missing and changed ones are written. */
async function applyPolicies(client: Client, logins: readonly ServiceLogin[]): Promise<void> {
  const { rows } = await client.query<{ key: string; roles: string[]; condition: string; check: string }>(`
    SELECT schemaname || '.' || tablename || ' ' || policyname AS key, roles::text[] AS roles, qual AS condition, with_check AS check
    FROM pg_policies WHERE schemaname = 'messaging'`);
  const existing = new Map(rows.map((policy) => [policy.key, policy]));
  for (const { service, role } of logins) {
    for (const [table, conditionOf] of Object.entries(MESSAGE_POLICIES)) {
      const condition = conditionOf(service);
      const policy = existing.get(`${table} ${service}`);
      const check = WRITE_POLICIES[table]?.[service] ?? condition;
      const isCurrent = policy?.condition === condition && policy.check === check && policy.roles.join() === role;
      if (isCurrent) continue;
      const verb = policy ? 'ALTER' : 'CREATE';
      await client.query(
        `${verb} POLICY ${service} ON ${table} TO ${escapeIdentifier(role)} USING (${condition}) WITH CHECK (${check})`,
      );
    }
  }
}

/** The owner of the tables may not be the owner of the database, who grants this right. */
async function requireTemporaryTables(client: Client, logins: readonly ServiceLogin[]): Promise<void> {
  for (const { service, role } of logins) {
    if (!SERVICE_RIGHTS[service].hasTemporaryTables) continue;
    const { rows } = await client.query<{ may: boolean; database: string }>(
      `SELECT has_database_privilege($1, current_database(), 'TEMPORARY') AS may, current_database() AS database`,
      [role],
    );
    if (rows[0]?.may === false)
      throw new Error(
        `The role ${role} may not create temporary tables. Run this as the owner of the database: GRANT TEMPORARY ON DATABASE ${escapeIdentifier(rows[0].database)} TO ${escapeIdentifier(role)};`,
      );
  }
}
