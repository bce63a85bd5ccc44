import { users } from '../libs/sdk/dist/resources.js';
import { makeWorkflow } from './lib/account.mjs';
import { CONNECTIONS, loadUrl } from './lib/load-url.mjs';
import { makeCallers } from './lib/make-callers.mjs';
import { measureBeside } from './lib/measure.mjs';
import { startGateway } from './lib/start-gateway.mjs';

const SECONDS = 4;
const WARM_UP_SECONDS = 8;
/** Enough that none of them comes up against the default limit. */
const CALLERS = 1_000;
const GOAL = 0.85;

/**
 * What authentication and limits cost: requests a second by an authenticated GET, beside the same route of a gateway
 * whose guard lets everybody in unasked. Once with the limits that there are by default, once without any.
 * @param {import('./run.mjs').Bench} bench
 * @returns {Promise<import('./run.mjs').Result[]>}
 */
export async function benchGuard({ system, account, note }) {
  const workflow = await makeWorkflow(account, 'GET', { nodes: {} });
  const me = await account.client.call(users.getMe);
  const caller = { user: me.id, vault: me.vault, vaultRole: 'owner', spaces: 'all', credential: 'token' };
  const tokens = await makeCallers(system.database, me.vault, CALLERS);
  const open = { preload: 'guard-off.mjs', env: { BENCH_CALLER: JSON.stringify(caller) } };
  const results = [];
  for (const [limits, env] of /** @type {const} */ ([
    ['default limits', {}],
    ['no limits', { RATE_LIMIT_PER_MINUTE: '0' }],
  ])) {
    note(limits);
    // Both are started again, so that neither has had longer to compile its hot paths.
    results.push(await compare(limits, await startGateway(system, { env }), await startGateway(system, open)));
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
      const medians = await measureBeside({
        ours: () => load(guarded.url),
        floor: () => load(unguarded.url),
        warmUp: async () => [await load(guarded.url, WARM_UP_SECONDS), await load(unguarded.url, WARM_UP_SECONDS)],
        note,
      });
      const ratio = medians.ours / medians.floor;
      return {
        workload: `GET behind the guard, ${CONNECTIONS} connections of ${CALLERS} callers, ${limits}`,
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
