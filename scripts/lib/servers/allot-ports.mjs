import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { readJson, writeJson } from '../write-json.mjs';

/**
 * Below 32768, where Linux begins to take ports for outgoing connections: one of those could hold a server's port in the
 * moment in which the server is started again.
 */
const FIRST = 15_000;
const LAST = 32_000;

/**
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<string | undefined>} undefined where the port can be listened on, else the error's code
 */
export function tryPort(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Gives each name a free port on loopback: the one it had last time, where that is free.
 * @param {string} file where they are remembered
 * @param {readonly string[]} names
 * @returns {Promise<Record<string, number>>}
 */
export async function allotPorts(file, names) {
  const ports = { ...readJson(file) };
  for (const name of names) {
    const others = Object.keys(ports).flatMap((other) => (other === name ? [] : [ports[other]]));
    const isUsable = async (/** @type {number} */ port) =>
      !others.includes(port) && (await tryPort(port)) === undefined;
    while (!Number.isInteger(ports[name]) || !(await isUsable(ports[name]))) ports[name] = randomInt(FIRST, LAST);
  }
  writeJson(file, ports);
  return ports;
}
