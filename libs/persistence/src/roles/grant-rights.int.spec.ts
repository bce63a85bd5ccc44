import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { grantRights } from './grant-rights.js';
import { readLogins, loginVariable, type ServiceLogin } from './service-login.js';
import { DATABASE_SERVICES, MESSAGE_TABLES, SERVICE_RIGHTS, type DatabaseService } from './service-rights.js';

let fresh: FreshDatabase;
let logins: ServiceLogin[];
beforeAll(async () => {
  fresh = await freshDatabase();
  logins = readLogins(fresh.logins);
});
afterAll(() => fresh.drop());

async function as<T>(service: DatabaseService, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: String(fresh.logins[loginVariable(service)]) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What Postgres says that the user of a connection may do with each table, a right on one column included. */
const SELECT_ACCESS = `
  SELECT nspname || '.' || relname AS table, array_to_string(ARRAY(
    SELECT p FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER,MAINTAIN}'::text[]) p
    WHERE has_table_privilege(c.oid, p)
      OR p IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(c.oid, p)), ' ') AS may
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE relkind IN ('r', 'v', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', 'live')
    AND has_schema_privilege(n.oid, 'USAGE') ORDER BY 1`;

/** The same from the matrix, without the names of columns. */
function declaredAccess(service: DatabaseService, tables: string[]): Map<string, string> {
  const { schemas, tables: special = {} } = SERVICE_RIGHTS[service];
  const declared: Record<string, readonly string[]> = { ...MESSAGE_TABLES, ...special };
  const usual = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MAINTAIN'];
  const access = tables.flatMap((table): [string, string][] => {
    const rights = declared[table] ?? (schemas.includes(table.split('.')[0] ?? '') ? usual : []);
    const names = usual.filter((name) => rights.some((right) => right.split(' ')[0] === name));
    return names.length > 0 ? [[table, names.join(' ')]] : [];
  });
  return new Map(access);
}

describe.each(DATABASE_SERVICES.map((service) => [service] as const))('the role of %s', (service) => {
  it('may do with each table what the matrix says, and nothing else', async () => {
    const all = await fresh.query<{ name: string }>(
      `SELECT schemaname || '.' || tablename AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const rows = await as(
      service,
      async (client) => (await client.query<{ table: string; may: string }>(SELECT_ACCESS)).rows,
    );
    const actual = new Map(rows.filter(({ may }) => may !== '').map(({ table, may }) => [table, may]));
    const declared = declaredAccess(
      service,
      all.map(({ name }) => name),
    );
    expect(declared.size).toBeGreaterThan(5);
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(declared));
  });

  it('reads no table of another service', async () => {
    const others = DATABASE_SERVICES.filter((other) => other !== service);
    const codes = await as(service, async (client) => {
      const failures: unknown[] = [];
      for (const schema of others) {
        const [table] = await fresh.query<{ name: string }>(
          `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = '${schema}'`,
        );
        failures.push(await client.query(`SELECT FROM ${table?.name}`).catch((error: { code: string }) => error.code));
      }
      return failures;
    });
    expect(codes).toEqual(others.map(() => '42501'));
  });

  it('sees and writes only its own messages', async () => {
    const insert = (owner: string) =>
      `INSERT INTO messaging.outbox (id, service, kind, name, payload) VALUES (gen_random_uuid(), '${owner}', 'event', 'x', '{}')`;
    const other = service === 'auth' ? 'runs' : 'auth';
    await fresh.query(insert(other));
    await as(service, async (client) => {
      await client.query(insert(service));
      await expect(client.query(insert(other))).rejects.toMatchObject({ code: '42501' });
      const { rows } = await client.query('SELECT DISTINCT service FROM messaging.outbox');
      expect(rows).toEqual([{ service }]);
      await client.query(`INSERT INTO messaging.inbox VALUES ('${service}_x', gen_random_uuid())`);
      await expect(
        client.query(`INSERT INTO messaging.inbox VALUES ('${other}_x', gen_random_uuid())`),
      ).rejects.toThrow('row-level security');
    });
  });

  it('creates nothing outside of its schema, and has no attribute of an administrator', async () => {
    await as(service, async (client) => {
      await expect(client.query('CREATE TABLE public.x ()')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query(`CREATE TABLE ${service}.x ()`)).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('CREATE SCHEMA x')).rejects.toMatchObject({ code: '42501' });
      const { rows } = await client.query(`SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication
        OR rolbypassrls AS powerful FROM pg_roles WHERE rolname = current_user`);
      expect(rows).toEqual([{ powerful: false }]);
    });
  });
});

it('datasets owns the tables that it creates, and no other service reads them', async () => {
  await as('datasets', async (client) => client.query('CREATE TABLE live.d_1 (_id bigint); CREATE TEMP TABLE t ()'));
  await as('runs', async (client) => {
    await expect(client.query('SELECT FROM live.d_1')).rejects.toMatchObject({ code: '42501' });
  });
});

it('datasets takes over the tables that an earlier release creates beside it, and nobody else does', async () => {
  await fresh.query('CREATE TABLE live.s_9 (); INSERT INTO live.s_9 DEFAULT VALUES');
  await as('runs', async (client) => {
    await expect(client.query('SELECT datasets.claim_tables()')).rejects.toMatchObject({ code: '42501' });
  });
  await as('datasets', async (client) => {
    await expect(client.query('DROP TABLE live.s_9')).rejects.toMatchObject({ code: '42501' });
  });
  await as('datasets', async (client) => {
    expect((await client.query('SELECT datasets.claim_tables() AS claimed')).rows).toEqual([{ claimed: 1 }]);
    await client.query('TABLE live.s_9; DROP TABLE live.s_9');
  });
});

it('runs finds references of other services to stored objects, but reads none of their tables', async () => {
  await as('runs', async (client) => {
    const { rows } = await client.query(`SELECT contents.find_references(ARRAY['x'])`);
    expect(rows).toEqual([]);
    await expect(client.query('SELECT FROM workflows.file')).rejects.toMatchObject({ code: '42501' });
  });
  await as('billing', async (client) => {
    await expect(client.query(`SELECT contents.find_references(ARRAY['x'])`)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('grantRights', () => {
  const auth = () => logins.filter(({ service }) => service === 'auth');

  it('revokes rights that are not declared, and grants those that are missing', async () => {
    await fresh.query('GRANT SELECT ON runs.run TO millrace_auth; REVOKE INSERT ON auth.vault FROM millrace_auth');
    await fresh.query('GRANT UPDATE (payload) ON messaging.outbox TO millrace_auth');
    await grantRights(fresh, logins);
    const rows = await fresh.query(`SELECT has_table_privilege('millrace_auth', 'runs.run', 'SELECT') AS run,
      has_table_privilege('millrace_auth', 'auth.vault', 'INSERT') AS vault,
      has_column_privilege('millrace_auth', 'messaging.outbox', 'payload', 'UPDATE') AS payload`);
    expect(rows).toEqual([{ run: false, vault: true, payload: false }]);
  });

  it('gives datasets the tables that an earlier version created as the owner of the database', async () => {
    await fresh.query(
      'CREATE TABLE live.d_7 (_id bigint GENERATED ALWAYS AS IDENTITY); CREATE INDEX ON live.d_7 (_id)',
    );
    await grantRights(fresh, logins);
    await as('datasets', (client) => client.query('ALTER TABLE live.d_7 ADD COLUMN c1 text; DROP TABLE live.d_7'));
  });

  it('takes temporary tables and the creation of objects away from everybody else', async () => {
    await fresh.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
    await grantRights(fresh, logins);
    await as('billing', async (client) => {
      await expect(client.query('CREATE TEMP TABLE t ()')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('CREATE TABLE public.x ()')).rejects.toMatchObject({ code: '42501' });
    });
  });

  it('changes nothing the second time, also if two processes do it at the same time', async () => {
    const state = () =>
      fresh.query(`SELECT oid, xmin::text FROM pg_class UNION ALL SELECT oid, xmin::text FROM pg_policy
      UNION ALL SELECT oid, xmin::text FROM pg_authid WHERE rolname LIKE 'millrace_%' ORDER BY 1, 2`);
    await grantRights(fresh, logins);
    const before = await state();
    await Promise.all([grantRights(fresh, logins), grantRights(fresh, logins)]);
    expect(await state()).toEqual(before);
  });

  it('refuses a role whose rights cannot be limited', async () => {
    const owner = [{ service: 'auth' as const, role: 'millrace', url: null }];
    await expect(grantRights(fresh, owner)).rejects.toThrow('DATABASE_URL_AUTH');
  });

  it('refuses to change the password of a role that another database uses', async () => {
    const url = new URL(String(auth()[0]?.url));
    url.password = 'another';
    await expect(grantRights(fresh, [{ ...auth()[0]!, url: url.href }])).rejects.toThrow('Two installations');
  });
});

describe('an owner of the database who is no superuser', () => {
  let name: string;
  let ownerUrl: string;
  beforeAll(async () => {
    name = `owner_${process.pid}`;
    const url = new URL(fresh.url);
    [url.username, url.password] = [name, 'test-owner'];
    ownerUrl = url.href;
    await fresh.query(`CREATE ROLE ${name} LOGIN PASSWORD 'test-owner'`);
    await fresh.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${name}`);
    await fresh.query(`DO $$ DECLARE o record; BEGIN
      FOR o IN SELECT nspname FROM pg_namespace WHERE nspname IN ('auth', 'workflows', 'runs', 'datasets', 'billing', 'notifications', 'messaging', 'contents', 'live')
        LOOP EXECUTE format('ALTER SCHEMA %I OWNER TO ${name}', o.nspname); END LOOP;
      FOR o IN SELECT nspname, relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        WHERE relkind = 'r' AND nspname IN ('auth', 'workflows', 'runs', 'datasets', 'billing', 'notifications', 'messaging', 'contents')
        LOOP EXECUTE format('ALTER TABLE %I.%I OWNER TO ${name}', o.nspname, o.relname); END LOOP;
      FOR o IN SELECT p.oid::regprocedure AS function FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
        WHERE nspname IN ('auth', 'workflows', 'runs', 'datasets', 'billing', 'notifications', 'messaging', 'contents')
        LOOP EXECUTE format('ALTER FUNCTION %s OWNER TO ${name}', o.function); END LOOP;
      FOR o IN SELECT nspname, relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        WHERE relkind = 'S' AND nspname = 'auth' AND relname = 'retention_number'
        LOOP EXECUTE format('ALTER SEQUENCE %I.%I OWNER TO ${name}', o.nspname, o.relname); END LOOP;
    END $$`);
  });
  afterAll(async () => {
    const { pathname } = new URL(fresh.url);
    await fresh.query(`ALTER DATABASE ${pathname.slice(1)} OWNER TO CURRENT_USER`);
    await fresh.query(`REASSIGN OWNED BY ${name} TO CURRENT_USER; DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}`);
  });

  it('gets the SQL for an administrator if a role is missing and it may not create roles', async () => {
    const missing = [{ service: 'datasets' as const, role: 'team_datasets', url: null }];
    const failure = grantRights({ url: ownerUrl }, missing);
    await expect(failure).rejects.toThrow(`CREATE ROLE "team_datasets" LOGIN PASSWORD '…';`);
    await expect(failure).rejects.toThrow(`GRANT "team_datasets" TO "${name}" WITH INHERIT TRUE, SET TRUE;`);
    await expect(failure).rejects.toThrow('DATABASE_URL_DATASETS');
  });

  it('grants all rights once an administrator has created the roles', async () => {
    await fresh.query(`GRANT millrace_datasets TO ${name} WITH INHERIT TRUE, SET TRUE`);
    await fresh.query('REVOKE INSERT ON auth.vault FROM millrace_auth');
    await grantRights({ url: ownerUrl }, logins);
    await as('auth', (client) => client.query(`EXPLAIN INSERT INTO auth.vault (id) VALUES (gen_random_uuid())`));
  });
});
