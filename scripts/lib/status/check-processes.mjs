import { fetchHealth } from '../apps/fetch-health.mjs';
import { isRunning } from '../process/process-identity.mjs';
import { lockHolder } from '../process/take-lock.mjs';
import { endpointOf, PROBES } from '../servers/probe-server.mjs';
import { SERVERS, SERVICES } from '../services.mjs';
import { readJson } from '../write-json.mjs';

/**
 * @typedef {{ name: string, pid?: number, startedAt?: number, restarts?: number, health: string }} Row health is "ok" or what is wrong
 */

/**
 * Looks at every server and service of a system.
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
    const replacement = lockHolder(layout.devLock(name));
    return replacement
      ? { name, pid: replacement.pid, health: `in development (${serviceHealth(name, health)})` }
      : checkService(name, state, health);
  });
  return [...(await Promise.all(servers)), ...services];
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
    if (!endpoint) return { name, health: state.phase === 'starting' ? 'starting' : 'ok (not ours)' };
    return { name, health: (await probe(name, endpoint)) ? 'ok (not ours)' : 'does not answer' };
  }
  const answers = async () => ((await probe(name, { host: '127.0.0.1', port })) ? 'ok' : 'does not answer');
  return { ...describe(name, process), health: isRunning(process) ? await answers() : 'not running' };
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
 * @param {Awaited<ReturnType<typeof fetchHealth>>} answer
 * @returns {Row}
 */
function checkService(name, state, answer) {
  const process = state.processes[name] ?? state.processes.single;
  if (!process) return { name, health: 'not started' };
  return { ...describe(name, process), health: isRunning(process) ? serviceHealth(name, answer) : 'not running' };
}

/**
 * @param {string} name
 * @param {Awaited<ReturnType<typeof fetchHealth>>} answer
 */
function serviceHealth(name, answer) {
  if (!answer) return name === 'gateway' ? 'does not answer' : 'unknown, the gateway does not answer';
  return answer.health?.services?.[name]?.status ?? (name === 'gateway' || answer.ready ? 'ok' : 'unavailable');
}

/**
 * @param {string} name
 * @param {import('../process/supervisor.mjs').ProcessState} process
 */
function describe(name, { pid, startedAt, restarts }) {
  return { name, ...(pid !== undefined && { pid }), startedAt, restarts };
}
