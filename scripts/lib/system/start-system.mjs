import { appSpecs } from '../apps/app-specs.mjs';
import { listenAddress, requireFreePort } from '../apps/listen-address.mjs';
import { mailFolder } from '../apps/mail-env.mjs';
import { runMigrations } from '../apps/run-migrations.mjs';
import { waitAppsReady } from '../apps/wait-apps-ready.mjs';
import { phase } from '../report.mjs';
import { startServers } from '../servers/start-servers.mjs';

const READY_TIMEOUT_MS = 180_000;

/**
 * @typedef {import('../servers/start-servers.mjs').ServerContext & { node: string, single: boolean, waitForRepair?: boolean, onStarted?: (started: StartedSystem) => void }} SystemContext
 *
 * @typedef {{ base: string, apps: string[], urls: import('../servers/start-servers.mjs').ServerUrls }} StartedSystem base: URL of the gateway; apps: names of the processes
 */

/**
 * Starts the servers, migrates the database, starts the services, and waits until all are ready.
 * @param {SystemContext} context waitForRepair: in development, keep waiting for a service that dies repeatedly
 * @returns {Promise<StartedSystem>}
 */
export async function startSystem(context) {
  const { root, node, env, secrets, report, supervisor, signal, waitForRepair } = context;
  const listen = listenAddress(env);
  await requireFreePort(listen);
  const servers = await startServers(context);
  const migrated = servers.postgres.then(async (databaseUrl) => {
    await phase(report, 'migrations', () => runMigrations({ root, node, databaseUrl, env, secrets, signal }));
    return databaseUrl;
  });
  const [postgres, redis, nats] = await Promise.all([migrated, servers.redis, servers.nats]);
  const urls = { postgres, redis, nats };
  const specs = appSpecs({ ...context, urls, listen });
  const apps = specs.map(({ name }) => name);
  const mail = mailFolder(context);
  supervisor.describe({ address: publicAddress(env, listen.base), health: listen.base, ...(mail && { mail }) });
  const started = { base: listen.base, apps, urls };
  await phase(
    report,
    apps.length === 1 ? 'services (one process)' : `${apps.length} processes of services`,
    async () => {
      await Promise.all(specs.map((spec) => supervisor.start(spec)));
      context.onStarted?.(started);
      await waitAppsReady(supervisor, apps, listen.base, {
        timeoutMs: waitForRepair ? 600_000 : READY_TIMEOUT_MS,
        signal,
        waitForRepair: waitForRepair ?? false,
      });
    },
  );
  supervisor.describe({ phase: 'ready' });
  return started;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} base
 */
function publicAddress(env, base) {
  return (env.PUBLIC_URL || base).replace(/\/$/, '');
}
