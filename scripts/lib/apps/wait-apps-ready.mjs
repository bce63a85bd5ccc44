import { UserError } from '../report.mjs';
import { startError } from '../system/wait-process-ready.mjs';
import { waitUntil } from '../system/wait-until.mjs';
import { fetchHealth } from './fetch-health.mjs';

/** After three quick deaths in a row, another restart does not help. */
const MAX_DEATHS = 3;
/** Exit code of a service whose settings are not valid. A restart does not help. */
const INVALID_ENVIRONMENT_EXIT_CODE = 78;

/**
 * Waits until the gateway reports that all services are ready.
 * @param {import('../process/supervisor.mjs').Supervisor} supervisor
 * @param {string[]} names of the processes
 * @param {string} base URL of the gateway
 * @param {{ timeoutMs: number, signal: AbortSignal, waitForRepair?: boolean }} options waitForRepair: keep waiting for a service that dies repeatedly, because a developer may fix it
 */
export async function waitAppsReady(supervisor, names, base, { timeoutMs, signal, waitForRepair = false }) {
  /** @type {Awaited<ReturnType<typeof fetchHealth>>} */
  let lastHealth;
  const check = async () => {
    const misconfigured = names.find((name) => supervisor.get(name)?.exitCode === INVALID_ENVIRONMENT_EXIT_CODE);
    if (misconfigured) throw startError(supervisor.layout, misconfigured, 'cannot start with these settings');
    const dying = names.find((name) => (supervisor.get(name)?.deaths ?? 0) >= MAX_DEATHS);
    if (dying && !waitForRepair) throw startError(supervisor.layout, dying, 'does not start');
    lastHealth = await fetchHealth(base);
    return names.every((name) => supervisor.get(name)?.pid !== undefined) && (lastHealth?.ready ?? false);
  };
  if (await waitUntil(check, { timeoutMs, signal, everyMs: 50 })) return;
  const unhealthy = Object.entries(lastHealth?.health?.services ?? {}).find(([, { status }]) => status !== 'ok')?.[0];
  const name = unhealthy && names.includes(unhealthy) ? unhealthy : names[0];
  if (!name) throw new UserError(`${base}/health/system does not respond.`);
  throw startError(supervisor.layout, name, `was not ready within ${timeoutMs / 1000} s`);
}
