import { UserError } from '../report.mjs';
import { tryPort } from '../servers/allot-ports.mjs';

/**
 * @typedef {{ host: string, port: number, base: string }} Listen base: URL at which this machine reaches the gateway
 */

/**
 * The address on which the gateway listens.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Listen}
 */
export function listenAddress(env) {
  const host = env.HOST || '127.0.0.1';
  const port = Number(env.PORT || 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`PORT must be a number between 1 and 65535 (got "${env.PORT}").`);
  }
  const local = /** @type {Record<string, string>} */ ({ '0.0.0.0': '127.0.0.1', '::': '[::1]' })[host];
  return { host, port, base: `http://${local ?? (host.includes(':') ? `[${host}]` : host)}:${port}` };
}

/** @param {Listen} listen */
export async function requireFreePort({ host, port }) {
  const error = await tryPort(port, host);
  if (!error) return;
  if (error === 'EADDRINUSE') {
    throw new UserError(`Port ${port} is in use by another program. Choose another port: PORT=${port + 1} npm run up`);
  }
  throw new UserError(`Cannot listen on ${host}, port ${port}: ${error}. Choose another address with HOST and PORT.`);
}
