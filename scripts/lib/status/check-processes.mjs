import { fetchHealth } from '../apps/fetch-health.mjs';
import { DASHBOARD, respondsToRequest } from '../dev/start-dashboard.mjs';
import { findLockHolder } from '../process/acquire-lock.mjs';
import { isRunning } from '../process/process-identity.mjs';
import { endpointOf, PROBES } from '../servers/probe-server.mjs';
import { SERVERS, SERVICES } from '../services.mjs';
import { readJson } from '../write-json.mjs';

/**
 * @typedef {{ name: string, pid?: number, startedAt?: number, restarts?: number, health: string }} Row health is "ok" or the problem
 */

/**
 * Checks every server and service of a system.
 * @param {import('../layout.mjs').Layout} layout
 * @param {import('../process/supervisor.mjs').State} state
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Row[]>}
 */
export async function checkProcesses(layout, state, env) {
  const ports = readJson(layout.ports) ?? {};
  const health = state.health ? await fetchHealth(state.health) : undefined;
  const servers = Object.keys(SERVERS).map((name) => checkServer(name, state, ports[name], env));
  const services = SERVICES.map((name) => {
    const replacement = findLockHolder(layout.devLock(name));
    return replacement
      ? { name, pid: replacement.pid, health: `in development (${serviceHealth(name, health)})` }
      : checkService(name, state, health);
  });
  const dashboard = state.processes[DASHBOARD] ? [await checkDashboard(state.processes[DASHBOARD], state)] : [];
  return [...(await Promise.all(servers)), ...services, ...dashboard];
}

/**
 * Checks the development server of the dashboard, which `npm run dev` starts.
 * @param {import('../process/supervisor.mjs').ProcessState} process
 * @param {import('../process/supervisor.mjs').State} state
 * @returns {Promise<Row>}
 */
async function checkDashboard(process, { dashboard }) {
  const checkResponse = async () => {
    if (dashboard === undefined) return 'starting';
    return (await respondsToRequest(`${dashboard}/`)) ? 'ok' : 'does not respond';
  };
  return { ...describe(DASHBOARD, process), health: isRunning(process) ? await checkResponse() : 'not running' };
}

/**
 * @param {string} name
 * @param {import('../process/supervisor.mjs').State} state
 * @param {number} port
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Row>}
 */
async function checkServer(name, state, port, env) {
  const process = state.processes[name];
  const url = env[/** @type {Record<string, string>} */ (SERVERS)[name] ?? ''];
  if (!process) {
    const endpoint = url ? endpointOf(name, url) : undefined;
    if (!endpoint) return { name, health: state.phase === 'starting' ? 'starting' : 'ok (external)' };
    return { name, health: (await probe(name, endpoint)) ? 'ok (external)' : 'does not respond' };
  }
  const checkResponse = async () => ((await probe(name, { host: '127.0.0.1', port })) ? 'ok' : 'does not respond');
  return { ...describe(name, process), health: isRunning(process) ? await checkResponse() : 'not running' };
}

/**
 * @param {string} name
 * @param {import('../servers/probe-server.mjs').Endpoint} endpoint
 */
async function probe(name, endpoint) {
  return (await PROBES[name]?.(endpoint)) ?? false;
}

/**
 * @param {string} name
 * @param {import('../process/supervisor.mjs').State} state
 * @param {Awaited<ReturnType<typeof fetchHealth>>} response
 * @returns {Row}
 */
function checkService(name, state, response) {
  const process = state.processes[name] ?? state.processes.single;
  if (!process) return { name, health: 'not started' };
  return { ...describe(name, process), health: isRunning(process) ? serviceHealth(name, response) : 'not running' };
}

/**
 * @param {string} name
 * @param {Awaited<ReturnType<typeof fetchHealth>>} response
 */
function serviceHealth(name, response) {
  if (!response) return name === 'gateway' ? 'does not respond' : 'unknown, because the gateway does not respond';
  return response.health?.services?.[name]?.status ?? (name === 'gateway' || response.ready ? 'ok' : 'unavailable');
}

/**
 * @param {string} name
 * @param {import('../process/supervisor.mjs').ProcessState} process
 */
function describe(name, { pid, startedAt, restarts }) {
  return { name, ...(pid !== undefined && { pid }), startedAt, restarts };
}
