import { phase, UserError } from '../report.mjs';
import { SERVERS } from '../services.mjs';
import { waitProcessReady } from '../system/wait-process-ready.mjs';
import { allotPorts } from './allot-ports.mjs';
import { natsServer } from './nats-server.mjs';
import { postgresServer } from './postgres-server.mjs';
import { accepts, endpointOf } from './probe-server.mjs';
import { redisServer } from './redis-server.mjs';

/** Recovery after a crash may have much to replay. */
const READY_MS = 60_000;

const MAKE = { postgres: postgresServer, redis: redisServer, nats: natsServer };

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
 * The servers that the environment gives no address for.
 * @param {NodeJS.ProcessEnv} env
 * @returns {(keyof typeof SERVERS)[]}
 */
export function ownServers(env) {
  const names = /** @type {(keyof typeof SERVERS)[]} */ (Object.keys(SERVERS));
  return names.filter((name) => !env[SERVERS[name]]);
}

/**
 * Starts those servers, all at once, and checks that the others can be reached. Each promise resolves when its server is
 * ready, so that what needs one of them does not wait for all.
 * @param {ServerContext} context
 * @returns {Promise<{ [Name in keyof ServerUrls]: Promise<string> }>}
 */
export async function startServers(context) {
  const own = ownServers(context.env);
  const ports = await allotPorts(context.layout.ports, own);
  const start = (/** @type {keyof typeof SERVERS} */ name) => {
    const url = context.env[SERVERS[name]];
    const started = url ? reach(name, url, context) : startOwn(name, /** @type {number} */ (ports[name]), context);
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
    const server = await MAKE[name]({ root, layout, port, secrets, durable });
    signal.throwIfAborted();
    await supervisor.start(server.spec);
    await waitProcessReady(supervisor, name, server.isReady, { timeoutMs: READY_MS, maxDeaths: 6, signal });
    return server.url;
  });
}

/**
 * @param {keyof typeof SERVERS} name
 * @param {string} url
 * @param {ServerContext} context
 */
async function reach(name, url, { report }) {
  const endpoint = endpointOf(name, url);
  if (endpoint && !(await accepts(endpoint, 5_000))) {
    throw new UserError(`${SERVERS[name]} is set, but nothing answers at ${endpoint.host}:${endpoint.port}.`);
  }
  report(`  ${name.padEnd(24)} yours, from ${SERVERS[name]}`);
  return url;
}
