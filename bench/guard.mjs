import { users } from '@millrace/contracts/resources';
import { createWorkflow } from './lib/account.mjs';
import { CONNECTIONS, loadUrl } from './lib/load-url.mjs';
import { compareWithFloor } from './lib/measure.mjs';
import { seedCallers } from './lib/seed-callers.mjs';
import { startGateway } from './lib/start-gateway.mjs';

const SECONDS = 4;
const WARM_UP_SECONDS = 8;
/** So many that none of them reaches the default rate limit. */
const CALLERS = 1_000;
const GOAL = 0.85;

/**
 * Measures the cost of authentication and rate limits: requests per second of an authenticated GET, with the default
 * limits and without limits. The floor is the same route of a gateway whose guard admits every request.
 * @param {import('./run.mjs').BenchContext} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchGuard({ system, account, note }) {
  const workflow = await createWorkflow(account, 'GET', { nodes: {} });
  const me = await account.client.call(users.getMe);
  const caller = { user: me.id, vault: me.vault, vaultRole: 'owner', spaces: 'all', credential: 'token' };
  const tokens = await seedCallers(system.database, me.vault, CALLERS);
  const guardOff = { preload: 'guard-off.mjs', env: { BENCH_CALLER: JSON.stringify(caller) } };
  const results = [];
  for (const [limits, env] of /** @type {const} */ ([
    ['default limits', {}],
    ['no limits', { RATE_LIMIT_PER_MINUTE: '0' }],
  ])) {
    note(limits);
    // Both gateways are new, so that neither has had more time to compile its hot paths.
    results.push(await compare(limits, await startGateway(system, { env }), await startGateway(system, guardOff)));
  }
  return results;

  /**
   * @param {string} limits
   * @param {{ url: string, stop: () => Promise<void> }} guarded
   * @param {{ url: string, stop: () => Promise<void> }} unguarded
   * @returns {Promise<import('./run.mjs').Result>}
   */
  async function compare(limits, guarded, unguarded) {
    const load = async (/** @type {string} */ url, seconds = SECONDS) =>
      (await loadUrl(`${url}/api/workflows/${workflow}`, { tokens, seconds })).perSecond;
    try {
      const medians = await compareWithFloor({
        ours: () => load(guarded.url),
        floor: () => load(unguarded.url),
        warmUp: async () => [await load(guarded.url, WARM_UP_SECONDS), await load(unguarded.url, WARM_UP_SECONDS)],
        note,
      });
      const ratio = medians.ours / medians.floor;
      return {
        workload: `GET with authentication, ${CONNECTIONS} connections of ${CALLERS} callers, ${limits}`,
        isolation: '',
        ours: `${medians.ours.toFixed(0)} requests/s`,
        floor: `${medians.floor.toFixed(0)} requests/s (guard off)`,
        ratio,
        goal: `over ${GOAL}`,
        met: ratio > GOAL,
      };
    } finally {
      await Promise.all([guarded.stop(), unguarded.stop()]);
    }
  }
}
