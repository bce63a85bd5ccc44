import { createHash, randomBytes } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';
import { applyMigrations } from '@millrace/persistence/apply-migrations';
import { readMigrations } from '@millrace/persistence/schema-engine';
import { readTestEnv } from './test-env.js';

export interface FreshDatabase {
  url: string;
  /** Rows of one statement, on a connection of its own; for looking at what a service did. */
  query<R extends QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]>;
  drop(): Promise<void>;
}

/** Advisory lock under which a worker makes the template while the others wait. */
const TEMPLATE_LOCK = 7_310_401;

/** A database of the suite's own with all migrations applied, cloned from a template in about 50 ms. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(async (admin) => {
    const template = await ensureTemplate(admin);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return handleOf(name);
}

/** A database with nothing in it at all. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  return handleOf(name);
}

function handleOf(name: string): FreshDatabase {
  const url = urlOf(name);
  return {
    url,
    query: <R extends QueryResultRow>(sql: string, values?: unknown[]) =>
      connected(url, async (client) => (await client.query<R>(sql, values)).rows),
    drop: async () => asAdmin(async (admin) => void (await admin.query(`DROP DATABASE ${name} WITH (FORCE)`))),
  };
}

/** Made once for each state of the migrations, and given its name only when it is complete. */
async function ensureTemplate(admin: Client): Promise<string> {
  const { migrationDirectories } = await readMigrations();
  const state = createHash('sha256').update(JSON.stringify(migrationDirectories)).digest('hex').slice(0, 12);
  const name = `millrace_template_${state}`;
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await makeTemplate(admin, name);
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return name;
}

async function makeTemplate(admin: Client, name: string): Promise<void> {
  const draft = `${name}_draft`;
  await admin.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${draft} TEMPLATE template0`);
  await applyMigrations(urlOf(draft));
  // The schema engine's connections may still be closing; a template must have none.
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [draft]);
  await admin.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
}

function urlOf(database: string): string {
  const url = new URL(readTestEnv().databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

const asAdmin = <T>(work: (client: Client) => Promise<T>): Promise<T> => connected(readTestEnv().databaseUrl, work);

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
