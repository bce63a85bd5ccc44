import { dataLayout, ROOT } from '../../../scripts/lib/layout.mjs';
import { allotPorts } from '../../../scripts/lib/servers/allot-ports.mjs';
import { postgresServer } from '../../../scripts/lib/servers/postgres-server.mjs';
import { redisServer } from '../../../scripts/lib/servers/redis-server.mjs';
import { openSystem } from '../../../scripts/lib/system/open-system.mjs';
import { waitProcessReady } from '../../../scripts/lib/system/wait-process-ready.mjs';
import { stopOnSignal } from '../../lib/stop-on-signal.mjs';

const READY_TIMEOUT_MS = 180_000;
const SERVERS = { postgres: postgresServer, redis: redisServer };

/**
 * The processes of a peer, and its own servers. Both are supervised as those of Millrace are, in a data directory of their own.
 * @typedef {object} Host
 * @property {string} folder
 * @property {Record<string, number>} ports by the names that `openHost` got
 * @property {import('../../../scripts/lib/servers/load-secrets.mjs').Secrets} secrets
 * @property {string} database connection string
 * @property {string} redis connection string
 * @property {(process: { name: string, command: string, args: string[], env: NodeJS.ProcessEnv, isReady: () => Promise<boolean> }) => Promise<void>} run
 *   starts a process, and resolves when it is ready
 * @property {() => number[]} pids
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} folder data directory; it may have the data of an earlier start
 * @param {{ servers: (keyof typeof SERVERS)[], ports: string[] }} options `ports`: names that need a free port
 * @returns {Promise<Host>} when its servers are ready
 */
export async function openHost(folder, { servers, ports: names }) {
  const layout = dataLayout(folder);
  const { supervisor, secrets, stop } = await openSystem(layout, { mode: 'bench', report: () => undefined });
  stopOnSignal(stop);
  const ports = await allotPorts(layout.ports, [...servers, ...names]);
  const { signal } = new AbortController();
  const options = { timeoutMs: READY_TIMEOUT_MS, maxDeaths: 2, signal };
  /** @type {Partial<Record<keyof typeof SERVERS, string>>} */
  const urls = {};
  try {
    await Promise.all(
      servers.map(async (name) => {
        const context = { root: ROOT, layout, port: ports[name] ?? 0, secrets, durable: true };
        const { spec, url, isReady } = await SERVERS[name](context);
        await supervisor.start(spec);
        await waitProcessReady(supervisor, name, isReady, options);
        urls[name] = url;
      }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    folder,
    ports,
    secrets,
    database: urls.postgres ?? '',
    redis: urls.redis ?? '',
    run: async ({ isReady, ...process }) => {
      await supervisor.start({ ...process, cwd: folder, logFile: layout.log(process.name) });
      await waitProcessReady(supervisor, process.name, isReady, options);
    },
    pids: () => supervisor.names().flatMap((name) => supervisor.get(name)?.pid ?? []),
    stop,
  };
}

/**
 * @param {string} url
 * @returns {Promise<boolean>} whether it responds with success
 */
export async function isReachable(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
