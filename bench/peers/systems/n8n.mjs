import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { waitUntil } from '../../../scripts/lib/system/wait-until.mjs';
import { defineWorkflow } from './n8n-workflows.mjs';
import { isReachable, openHost } from './open-host.mjs';
import { readOutput } from './read-output.mjs';
import { runByHttp } from './run-by-http.mjs';

const WEBHOOK_TIMEOUT_MS = 60_000;
const OWNER = { email: 'bench@example.org', password: 'Bench-Password-1', firstName: 'Bench', lastName: 'Bench' };

/**
 * n8n in queue mode: the main process and one worker, with Postgres and Redis.
 * @param {import('../systems.mjs').SystemOptions & { savesProgress: boolean }} options
 * @returns {import('../systems.mjs').PeerSystem}
 */
export function createN8n({ folder, packages, savesProgress }) {
  /** @type {import('./open-host.mjs').Host | undefined} */
  let host;
  let url = '';
  const start = async () => {
    const opened = await openHost(folder, {
      servers: ['postgres', 'redis'],
      ports: ['main', 'broker', 'worker', 'workerBroker'],
    });
    host = opened;
    url = `http://127.0.0.1:${opened.ports.main}`;
    const run = (/** @type {string} */ name, /** @type {string[]} */ args, /** @type {NodeJS.ProcessEnv} */ env) =>
      opened.run({
        name,
        command: process.execPath,
        args: [join(packages, 'node_modules', 'n8n', 'bin', 'n8n'), ...args],
        env: { ...environmentOf(opened), ...env },
        isReady: () => isReachable(`http://127.0.0.1:${opened.ports[name]}/healthz/readiness`),
      });
    // The first start creates the tables, so the worker starts after it.
    await run('main', ['start'], {
      N8N_PORT: String(opened.ports.main),
      N8N_RUNNERS_BROKER_PORT: String(opened.ports.broker),
    });
    await run('worker', ['worker', '--concurrency=10'], {
      QUEUE_HEALTH_CHECK_ACTIVE: 'true',
      QUEUE_HEALTH_CHECK_PORT: String(opened.ports.worker),
      N8N_RUNNERS_BROKER_PORT: String(opened.ports.workerBroker),
    });
  };
  const stop = async () => host?.stop();
  return {
    install: async () => {
      await start();
      await createWorkflows(url, { savesProgress });
      await stop();
    },
    start: async () => {
      await start();
      const hasWebhooks = () =>
        runByHttp(`${url}/webhook/w1`, {}).then(
          () => true,
          () => false,
        );
      if (!(await waitUntil(hasWebhooks, { timeoutMs: WEBHOOK_TIMEOUT_MS }))) await runByHttp(`${url}/webhook/w1`, {});
    },
    stop,
    pids: () => host?.pids() ?? [],
    prepareRuns:
      ({ chain }) =>
      async (runFolder) => {
        const response = await runByHttp(`${url}/webhook/${chain}`, { folder: runFolder });
        return chain === 'w1' ? String(JSON.parse(response).value) : response;
      },
    readOutput,
  };
}

/**
 * Settings of both processes. All that is not needed to run is at its default, except that nothing is sent to n8n's makers.
 * @param {import('./open-host.mjs').Host} host
 * @returns {NodeJS.ProcessEnv}
 */
function environmentOf({ folder, ports, secrets }) {
  return {
    ...{ PATH: process.env.PATH, HOME: folder, NODE_ENV: 'production', N8N_USER_FOLDER: folder },
    ...{ DB_TYPE: 'postgresdb', DB_POSTGRESDB_HOST: '127.0.0.1', DB_POSTGRESDB_PORT: String(ports.postgres) },
    ...{ DB_POSTGRESDB_DATABASE: 'millrace', DB_POSTGRESDB_USER: 'millrace', DB_POSTGRESDB_PASSWORD: secrets.postgres },
    ...{ EXECUTIONS_MODE: 'queue', QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(ports.redis) },
    ...{
      QUEUE_BULL_REDIS_PASSWORD: secrets.redis,
      N8N_ENCRYPTION_KEY: secrets.millrace,
      N8N_LISTEN_ADDRESS: '127.0.0.1',
    },
    // Execute Command is off by default since n8n 2.0.
    ...{ NODES_EXCLUDE: '[]', N8N_SECURE_COOKIE: 'false', N8N_LOG_LEVEL: 'warn' },
    ...{ N8N_DIAGNOSTICS_ENABLED: 'false', N8N_VERSION_NOTIFICATIONS_ENABLED: 'false', N8N_TEMPLATES_ENABLED: 'false' },
  };
}

/**
 * Creates the owner's account and the workflows of all workloads, as the editor does.
 * @param {string} url
 * @param {{ savesProgress: boolean }} options
 */
async function createWorkflows(url, options) {
  const headers = { 'content-type': 'application/json', 'browser-id': randomUUID(), cookie: '' };
  const post = async (/** @type {string} */ path, /** @type {object} */ body) => {
    const response = await fetch(`${url}/rest/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`n8n: ${path} responded with ${response.status}: ${await response.text()}`);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    if (cookies.length > 0) headers.cookie = cookies.join('; ');
    return /** @type {any} */ (await response.json()).data;
  };
  await post('owner/setup', OWNER);
  for (const chain of ['w1', 'w2', 'w3', 'w4']) {
    const { id, versionId } = await post('workflows', defineWorkflow(chain, options));
    await post(`workflows/${id}/activate`, { versionId });
  }
}
