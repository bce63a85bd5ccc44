import { phase, UserError } from '../report.mjs';
import { SERVERS } from '../services.mjs';
import { waitProcessReady } from '../system/wait-process-ready.mjs';
import { allotPorts } from './allot-ports.mjs';
import { natsServer } from './nats-server.mjs';
import { postgresServer } from './postgres-server.mjs';
import { accepts, endpointOf } from './probe-server.mjs';
import { redisServer } from './redis-server.mjs';

/** Long, because the recovery after a crash may take a while. */
const READY_TIMEOUT_MS = 180_000;

const CREATE_SERVER = { postgres: postgresServer, redis: redisServer, nats: natsServer };

/**
 * Addresses of the three servers.
 * @typedef {{ postgres: string, redis: string, nats: string }} ServerUrls
 */

/**
 * @typedef {object} ServerContext
 * @property {string} root
 * @property {import('../layout.mjs').Layout} layout
 * @property {NodeJS.ProcessEnv} env
 * @property {import('./load-secrets.mjs').Secrets} secrets
 * @property {import('../process/supervisor.mjs').Supervisor} supervisor
 * @property {import('../report.mjs').Report} report
 * @property {boolean} durable
 * @property {AbortSignal} signal
 */

/**
 * The servers whose address is not set in the environment.
 * @param {NodeJS.ProcessEnv} env
 * @returns {(keyof typeof SERVERS)[]}
 */
export function ownServers(env) {
  const names = /** @type {(keyof typeof SERVERS)[]} */ (Object.keys(SERVERS));
  return names.filter((name) => !env[SERVERS[name]]);
}

/**
 * Starts these servers concurrently, and checks that the others can be reached. Each promise resolves when its server is
 * ready, so that a step that needs one server does not wait for all.
 * @param {ServerContext} context
 * @returns {Promise<{ [Name in keyof ServerUrls]: Promise<string> }>}
 */
export async function startServers(context) {
  const ownNames = ownServers(context.env);
  const ports = await allotPorts(context.layout.ports, ownNames);
  const start = (/** @type {keyof typeof SERVERS} */ name) => {
    const url = context.env[SERVERS[name]];
    const started = url
      ? checkExternal(name, url, context)
      : startOwn(name, /** @type {number} */ (ports[name]), context);
    // The code that awaits the promise sees the failure; without this, Node would report an unhandled rejection before.
    started.catch(() => undefined);
    return started;
  };
  return { postgres: start('postgres'), redis: start('redis'), nats: start('nats') };
}

/**
 * @param {keyof typeof SERVERS} name
 * @param {number} port
 * @param {ServerContext} context
 */
async function startOwn(name, port, { root, layout, secrets, supervisor, report, durable, signal }) {
  return phase(report, `${name} on port ${port}`, async () => {
    const server = await CREATE_SERVER[name]({ root, layout, port, secrets, durable });
    signal.throwIfAborted();
    await supervisor.start(server.spec);
    await waitProcessReady(supervisor, name, server.isReady, { timeoutMs: READY_TIMEOUT_MS, maxDeaths: 6, signal });
    return server.url;
  });
}

/**
 * @param {keyof typeof SERVERS} name
 * @param {string} url
 * @param {ServerContext} context
 */
async function checkExternal(name, url, { report }) {
  const endpoint = endpointOf(name, url);
  if (endpoint && !(await accepts(endpoint, 5_000))) {
    throw new UserError(
      `${SERVERS[name]} is set, but no server responds at ${endpoint.host}:${endpoint.port}. Start it, or unset ${SERVERS[name]}.`,
    );
  }
  report(`  ${name.padEnd(24)} external, from ${SERVERS[name]}`);
  return url;
}
