import { databaseServer } from '../../../../libs/persistence/dist/connections/database-server.js';
import { applyMigrations, readMigrations } from '../../../../libs/persistence/dist/schema-engine.js';
import { phase, UserError } from '../../report.mjs';
import { loadTables } from './load-tables.mjs';

/**
 * @param {import('../folder/manifest.mjs').Manifest} manifest
 * @throws {UserError} if the backup has a migration that this version does not have
 */
export async function requireKnownMigrations({ migrations, version }) {
  const { migrationDirectories } = await readMigrations();
  const known = new Set(migrationDirectories.map(({ path }) => path));
  const unknown = migrations.find((name) => !known.has(name));
  if (unknown)
    throw new UserError(
      `The backup was made by a newer version of Millrace (${version}, migration ${unknown}). Check out that version or a later one, and restore again.`,
    );
}

/**
 * Creates and fills the tables of a backup in a database without tables of Millrace, and migrates them to this version.
 * @param {{ url: string, folder: string, manifest: import('../folder/manifest.mjs').Manifest, report: import('../../report.mjs').Report }} options
 */
export async function restoreDatabase({ url, folder, manifest, report }) {
  const server = databaseServer({ ...process.env, DATABASE_URL: url });
  await applyMigrations(server, manifest.migrations);
  await phase(report, 'tables', () => loadTables(url, folder, manifest));
  const later = await applyMigrations(server);
  if (later.length > 0) report(`  later migrations applied: ${later.length}`);
}
