import { dataLayout, resolveDataDir } from './lib/layout.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { runMain, UserError } from './lib/report.mjs';
import { postgresUrl } from './lib/servers/postgres-url.mjs';
import { readJson } from './lib/write-json.mjs';

const USAGE = `npm run admin -- <command>   decides who administers this installation, while it runs

  grant <email>    makes a user with an account an administrator
  revoke <email>   takes the role away, also from the last administrator
  list             lists the administrators

Anybody who can run this command can read the whole database already. Administrators can also grant the role over the API.

Environment: MILLRACE_DATA_DIR (.millrace); with a Postgres of your own DATABASE_URL, with the value that the auth service has.`;

await runMain(async () => {
  const options = { help: { type: /** @type {const} */ ('boolean') } };
  const { values, positionals } = parseArguments({ options, allowPositionals: true }, USAGE);
  if (values.help || positionals.length === 0) return console.log(USAGE);
  const command = readCommand(positionals);
  const url = databaseUrl(process.env);
  const { AdminCommandError, runAdminCommand } = await import('../apps/auth/dist/admin/admins/run-admin-command.js');
  const lines = await runAdminCommand(url, command).catch((error) => {
    throw error instanceof AdminCommandError ? new UserError(error.message) : error;
  });
  console.log(lines.join('\n'));
});

/**
 * @param {string[]} words
 * @returns {import('../apps/auth/src/admin/admins/run-admin-command.js').AdminCommand}
 */
function readCommand([name, email, ...rest]) {
  if (name === 'list' && email === undefined) return { name };
  if ((name === 'grant' || name === 'revoke') && email?.includes('@') && rest.length === 0) return { name, email };
  throw new UserError(`Unknown command "${[name, email, ...rest].filter(Boolean).join(' ')}".\n\n${USAGE}`, 2);
}

/**
 * The address of the database of this data directory. The environment has priority.
 * @param {NodeJS.ProcessEnv} env
 */
function databaseUrl(env) {
  const layout = dataLayout(resolveDataDir(env));
  const secrets = readJson(layout.secrets);
  const { postgres: port } = readJson(layout.ports) ?? {};
  const url = env.DATABASE_URL || (secrets && port && postgresUrl(secrets.postgres, port));
  if (!url) {
    throw new UserError(
      `${layout.dir} has no settings of a started system, and DATABASE_URL is not set.\n\n${USAGE}`,
      2,
    );
  }
  return url;
}
