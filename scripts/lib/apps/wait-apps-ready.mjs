import { UserError } from '../report.mjs';
import { notStarting } from '../system/wait-process-ready.mjs';
import { waitUntil } from '../system/wait-until.mjs';
import { fetchHealth } from './fetch-health.mjs';

/** At its third death in a row a service will not come up by being started again. */
const MAX_DEATHS = 3;
/** What a service ends with if its settings are not valid; another start does not help. */
const INVALID_ENVIRONMENT = 78;

/**
 * Waits until the gateway says that all services are ready.
 * @param {import('../process/supervisor.mjs').Supervisor} supervisor
 * @param {string[]} names of the processes
 * @param {string} base URL of the gateway
 * @param {{ timeoutMs: number, signal: AbortSignal, patient?: boolean }} options patient: a service that keeps dying may be repaired
 */
export async function waitAppsReady(supervisor, names, base, { timeoutMs, signal, patient = false }) {
  /** @type {Awaited<ReturnType<typeof fetchHealth>>} */
  let last;
  const check = async () => {
    const misset = names.find((name) => supervisor.get(name)?.exitCode === INVALID_ENVIRONMENT);
    if (misset) throw notStarting(supervisor.layout, misset, 'cannot start with these settings');
    const dying = names.find((name) => (supervisor.get(name)?.deaths ?? 0) >= MAX_DEATHS);
    if (dying && !patient) throw notStarting(supervisor.layout, dying, 'does not start');
    last = await fetchHealth(base);
    return names.every((name) => supervisor.get(name)?.pid !== undefined) && (last?.ready ?? false);
  };
  if (await waitUntil(check, { timeoutMs, signal, everyMs: 50 })) return;
  const unwell = Object.entries(last?.health?.services ?? {}).find(([, { status }]) => status !== 'ok')?.[0];
  const name = unwell && names.includes(unwell) ? unwell : names[0];
  if (!name) throw new UserError(`${base}/health/ready does not answer`);
  throw notStarting(supervisor.layout, name, `was not ready within ${timeoutMs / 1000} s`);
}
