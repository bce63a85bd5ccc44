import { join } from 'node:path';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';

/**
 * Applies the pending migrations to the database.
 * @param {{ root: string, node: string, databaseUrl: string, env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 */
export async function runMigrations({ root, node, databaseUrl, env, signal }) {
  const script = join(root, 'libs', 'persistence', 'dist', 'migrate.js');
  const options = { cwd: root, env: { ...env, DATABASE_URL: databaseUrl }, ...(signal && { signal }) };
  const { code, output } = await runCommand(node, [script], options);
  signal?.throwIfAborted();
  if (code !== 0) throw new UserError(`The database migrations failed:\n${lastLines(output, 20)}`);
}
