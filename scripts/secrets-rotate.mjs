import { existsSync } from 'node:fs';
import { dataLayout, resolveDataDir } from './lib/layout.mjs';
import { parseFlags } from './lib/parse-flags.mjs';
import { runMain, UserError } from './lib/report.mjs';
import { databaseLogins } from './lib/servers/database-logins.mjs';
import { postgresUrl } from './lib/servers/postgres-url.mjs';
import { readJson } from './lib/write-json.mjs';

const USAGE = `npm run secrets:rotate -- [options]   replaces the master keys by a new one, while the services run

  --data-keys   gives each vault a new data key as well, and encrypts its values again
  --help        show this help

If a vault cannot be read, the command names it, continues with the others and exits with code 1. If it is interrupted,
run it again: it continues from there.

Environment: MILLRACE_DATA_DIR (.millrace); with servers of your own also DATABASE_URL, MILLRACE_SECRET and
SECRETS_KEY_FILE, with the values that the services have.`;

await runMain(async () => {
  const flags = parseFlags(['data-keys', 'help'], process.argv.slice(2), process.env, USAGE);
  if (flags.help) return console.log(USAGE);
  const { databaseServer } = await import('../libs/persistence/dist/connections/database-server.js');
  const { rotateSecrets } = await import('../apps/workflows/dist/secrets/keys/rotate-secrets.js');
  const { databaseUrl, ...keys } = settings(process.env);
  const { wrapped, vaults, failed, removed } = await rotateSecrets({
    ...keys,
    server: databaseServer({ ...process.env, DATABASE_URL: databaseUrl }),
    dataKeys: flags['data-keys'],
  });
  console.log(
    `${wrapped} data keys are encrypted with a new master key; ${removed} old master keys were removed from the file.`,
  );
  if (flags['data-keys']) console.log(`The values of ${vaults} vaults were encrypted with new data keys.`);
  for (const { vault, reason } of failed) console.error(`Vault ${vault} keeps its data key: ${reason}.`);
  return failed.length > 0 ? 1 : 0;
});

/**
 * The settings of the services in this data directory. The environment has priority.
 * @param {NodeJS.ProcessEnv} env
 */
function settings(env) {
  const layout = dataLayout(resolveDataDir(env));
  const secrets = readJson(layout.secrets);
  const { postgres: port } = readJson(layout.ports) ?? {};
  const ownerUrl = env.DATABASE_URL || (secrets && port && postgresUrl(secrets.postgres, port));
  // In a container there are no passwords of other services, and the user is the service's own.
  const logins = secrets?.database && ownerUrl && databaseLogins({ env, ownerUrl, secrets });
  const databaseUrl = env.DATABASE_URL_WORKFLOWS || logins?.DATABASE_URL_WORKFLOWS || ownerUrl;
  const secret = env.MILLRACE_SECRET || secrets?.millrace;
  const keyFile = env.SECRETS_KEY_FILE || (existsSync(layout.masterKeys) ? layout.masterKeys : undefined);
  if (!databaseUrl || !secret || !keyFile)
    throw new UserError(
      `${layout.dir} has no settings of a started system, and the environment does not set all of DATABASE_URL, MILLRACE_SECRET and SECRETS_KEY_FILE.\n\n${USAGE}`,
      2,
    );
  return { databaseUrl, secret, keyFile };
}
