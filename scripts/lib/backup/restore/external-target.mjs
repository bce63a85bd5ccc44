import { existsSync, renameSync } from 'node:fs';
import { UserError } from '../../report.mjs';
import { prepareDataDir } from '../../system/prepare-data-dir.mjs';
import { readJson, writeJson } from '../../write-json.mjs';
import { connectDatabase } from '../database/connect-database.mjs';
import { quote, SCHEMAS } from '../database/read-catalog.mjs';
import { restoreDatabase } from './restore-database.mjs';

const FACTS = `
  SELECT (SELECT count(*)::int FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend') AS connections,
  to_regclass('auth.user') IS NOT NULL AS migrated`;

/**
 * A database of the user's own Postgres. A database without accounts counts as empty, also if its migrations have run.
 * @param {import('./restore-backup.mjs').RestoreContext} context
 * @returns {Promise<import('./own-target.mjs').Target>}
 */
export async function openExternalTarget({ installation, folder, manifest, keys, force, report }) {
  const url = installation.databaseUrl ?? '';
  const client = await connectDatabase(url);
  try {
    const { rows } = await client.query(FACTS);
    const { connections, migrated } = rows[0];
    if (connections > 0)
      throw new UserError(
        `Other connections use the database (${connections}). Stop all services and workers, and restore again.`,
      );
    const hasData = migrated && (await client.query('SELECT FROM auth."user" LIMIT 1')).rows.length > 0;
    if (hasData && !force)
      throw new UserError('The database has data. Use another database, or pass --force to delete what it contains.');
  } finally {
    await client.end();
  }
  return {
    fill: async () => {
      await dropTables(url);
      try {
        await restoreDatabase({ url, folder, manifest, report });
      } catch (error) {
        await dropTables(url).catch(() => undefined);
        throw error;
      }
    },
    complete: () => [...saveKeys(installation, keys), ...REMINDERS],
  };
}

const REMINDERS = [
  'Redis and NATS must not have data of the former system. Before you start the services, delete the keys bull:* of Redis',
  'and the streams events-* of NATS, or start with new servers.',
  'Run the migrations before the services start, as npm run up, Compose and the chart do: they grant rights again.',
];

/** @param {string} url */
async function dropTables(url) {
  const client = await connectDatabase(url);
  try {
    const schemas = SCHEMAS.map(quote).join(', ');
    await client.query(
      `BEGIN; DROP SCHEMA IF EXISTS ${schemas} CASCADE; DROP TABLE IF EXISTS public._prisma_migrations; COMMIT`,
    );
  } finally {
    await client.end();
  }
}

/**
 * Writes the keys to the files that the services read. A setting in the environment has priority there, and was checked.
 * @param {import('../installation.mjs').Installation} installation
 * @param {import('../folder/keys.mjs').Keys} keys
 * @returns {string[]} lines for the user
 */
function saveKeys({ layout, env, keyFile }, { secret, masterKeys }) {
  const lines = [];
  if (!env.MILLRACE_SECRET) {
    prepareDataDir(layout);
    const former = readJson(layout.secrets);
    if (former?.millrace !== secret) {
      if (former) lines.push(setAside(layout.secrets));
      writeJson(layout.secrets, { ...former, millrace: secret });
    }
  }
  const file = keyFile ?? layout.masterKeys;
  const isSame = JSON.stringify(readJson(file)?.keys) === JSON.stringify(masterKeys);
  if (masterKeys.length > 0 && !isSame) {
    if (existsSync(file)) lines.push(setAside(file));
    writeJson(file, { keys: masterKeys });
  }
  return lines;
}

/** @param {string} file */
function setAside(file) {
  renameSync(file, `${file}.before-restore`);
  return `The former ${file} is ${file}.before-restore.`;
}
