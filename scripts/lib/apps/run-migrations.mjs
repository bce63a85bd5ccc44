import { join } from 'node:path';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';
import { databaseLogins } from '../servers/database-logins.mjs';

/**
 * Applies the pending migrations to the database, and grants the roles of the services their rights.
 * @param {{ root: string, node: string, databaseUrl: string, env: NodeJS.ProcessEnv, secrets: import('../servers/load-secrets.mjs').Secrets, signal?: AbortSignal }} options
 *   databaseUrl: that of the owner
 */
export async function runMigrations({ root, node, databaseUrl, env, secrets, signal }) {
  const script = join(root, 'libs', 'persistence', 'dist', 'migrate.js');
  const options = {
    cwd: root,
    env: { ...env, ...databaseLogins({ env, ownerUrl: databaseUrl, secrets }), DATABASE_URL: databaseUrl },
    ...(signal && { signal }),
  };
  const { code, output } = await runCommand(node, [script], options);
  signal?.throwIfAborted();
  if (code !== 0) throw new UserError(`The database migrations failed:\n${lastLines(output, 20)}`);
}
