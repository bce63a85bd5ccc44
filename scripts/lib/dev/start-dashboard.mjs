import { join } from 'node:path';
import { UserError } from '../report.mjs';
import { tryPort } from '../servers/allot-ports.mjs';
import { waitProcessReady } from '../system/wait-process-ready.mjs';

/** Name of the process of Vite's development server, for `npm run status` and in the folder of logs. */
export const DASHBOARD = 'dashboard';

/** Vite's usual port. */
const FIRST_PORT = 5173;
const PORTS = 100;
const START_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 5_000;
/** A start that fails twice does not succeed by itself. */
const MAX_DEATHS = 2;

/**
 * Starts Vite's development server, which shows each edit of the dashboard at once, and waits until it responds.
 * @param {{ root: string, node: string, env: NodeJS.ProcessEnv, gateway: string, supervisor: import('../process/supervisor.mjs').Supervisor, signal: AbortSignal }} options
 *   gateway: the URL to which it passes requests of the API
 * @returns {Promise<string>} its address
 */
export async function startDashboard({ root, node, env, gateway, supervisor, signal }) {
  const port = await findPort();
  const address = `http://127.0.0.1:${port}`;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  await supervisor.start({
    name: DASHBOARD,
    command: node,
    args: [vite, '--port', String(port), '--strictPort', '--clearScreen', 'false'],
    env: { ...env, MILLRACE_URL: gateway },
    cwd: join(root, 'apps', 'dashboard'),
    logFile: supervisor.layout.log(DASHBOARD),
  });
  const isReady = () => respondsToRequest(`${address}/`);
  await waitProcessReady(supervisor, DASHBOARD, isReady, {
    timeoutMs: START_TIMEOUT_MS,
    maxDeaths: MAX_DEATHS,
    signal,
  });
  supervisor.describe({ dashboard: address });
  return address;
}

/**
 * @param {string} url
 * @returns {Promise<boolean>}
 */
export async function respondsToRequest(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** @param {number} [first] */
export async function findPort(first = FIRST_PORT) {
  for (let port = first; port < first + PORTS; port += 1) if ((await tryPort(port)) === undefined) return port;
  throw new UserError(`No port between ${first} and ${first + PORTS - 1} is free for the dashboard.`);
}
