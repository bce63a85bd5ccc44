import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { readJson, writeJson } from '../write-json.mjs';

/**
 * Below 32768, the first port that Linux uses for outgoing connections: such a connection could occupy a server's port while
 * the server restarts.
 */
const MIN_PORT = 15_000;
const MAX_PORT = 32_000;

/**
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<string | undefined>} undefined if the port is free, else the error's code
 */
export function tryPort(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/**
 * Finds a loopback port that no process listens on.
 * @returns {Promise<number>}
 */
export async function findFreePort() {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if ((await tryPort(port)) === undefined) return port;
  }
}

/**
 * Assigns a free loopback port to each name: the same one as last time, if it is free.
 * @param {string} file stores the ports
 * @param {readonly string[]} names
 * @returns {Promise<Record<string, number>>}
 */
export async function allotPorts(file, names) {
  const ports = { ...readJson(file) };
  for (const name of names) {
    const others = Object.keys(ports).flatMap((other) => (other === name ? [] : [ports[other]]));
    const isUsable = async (/** @type {number} */ port) =>
      !others.includes(port) && (await tryPort(port)) === undefined;
    while (!Number.isInteger(ports[name]) || !(await isUsable(ports[name])))
      ports[name] = randomInt(MIN_PORT, MAX_PORT);
  }
  writeJson(file, ports);
  return ports;
}
