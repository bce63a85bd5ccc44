import { dataLayout, ROOT } from '../layout.mjs';
import { allotPorts } from '../servers/allot-ports.mjs';
import { startServers } from '../servers/start-servers.mjs';
import { openSystem } from '../system/open-system.mjs';
import { startSystem } from '../system/start-system.mjs';

/**
 * @typedef {{ env: NodeJS.ProcessEnv, stop: () => Promise<void> }} TestSystem env: addresses and data directory for the tests
 * @typedef {{ dir: string, env: NodeJS.ProcessEnv, report: import('../report.mjs').Report, signal: AbortSignal }} TestOptions
 */

/**
 * Starts the three servers for suites that need real ones.
 * @param {TestOptions} options
 * @returns {Promise<TestSystem>}
 */
export async function startTestServers({ dir, env, report, signal }) {
  const layout = dataLayout(dir);
  const system = await openSystem(layout, { mode: 'test', report, onEvent: report });
  const { supervisor, secrets, stop } = system;
  return startOrStop(stop, async () => {
    const started = await startServers({
      root: ROOT,
      layout,
      env,
      secrets,
      supervisor,
      report,
      durable: false,
      signal,
    });
    const [postgres, redis, nats] = await Promise.all([started.postgres, started.redis, started.nats]);
    const urls = { TEST_DATABASE_URL: postgres, TEST_REDIS_URL: redis, TEST_NATS_URL: nats };
    return { env: { ...urls, TEST_NATS_PASSWORDS: JSON.stringify(secrets.nats) }, stop };
  });
}

/**
 * Starts a whole system for end-to-end suites.
 * @param {TestOptions} options
 * @returns {Promise<TestSystem>}
 */
export async function startTestSystem({ dir, env, report, signal }) {
  const layout = dataLayout(dir);
  const { supervisor, secrets, stop } = await openSystem(layout, { mode: 'test', report });
  return startOrStop(stop, async () => {
    const { gateway } = await allotPorts(layout.ports, ['gateway']);
    // All suites call from one address, so they would reach its rate limit.
    const unlimited = { RATE_LIMIT_PER_MINUTE: '0' };
    // Several suites use the worker at once, and some of their steps only sleep.
    const slots = { WORKER_SLOTS: '6' };
    // Nobody connects to these addresses, but workers may join.
    const forWorkers = {
      WORKER_JOIN_REDIS_URL: 'rediss://redis.example.org:6379',
      WORKER_JOIN_STORAGE_URL: 's3://objects?endpoint=https://s3.example.org',
    };
    const own = { ...unlimited, ...slots, ...forWorkers, PORT: String(gateway) };
    const systemEnv = { ...env, ...own, NODE_ENV: 'test', LOG_LEVEL: 'trace' };
    const context = { root: ROOT, node: process.execPath, layout, env: systemEnv, secrets, supervisor, report, signal };
    const { base } = await startSystem({ ...context, durable: false, single: false });
    return { env: { TEST_BASE_URL: base, TEST_DATA_DIR: dir }, stop };
  });
}

/**
 * @param {() => Promise<void>} stop
 * @param {() => Promise<TestSystem>} start
 */
async function startOrStop(stop, start) {
  try {
    return await start();
  } catch (error) {
    await stop();
    throw error;
  }
}
