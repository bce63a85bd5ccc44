import { connect } from 'node:net';

/**
 * @typedef {{ host: string, port: number }} Endpoint
 */

/**
 * Connects, sends the request, and returns the first bytes of the response.
 * @param {Endpoint} endpoint
 * @param {string | Buffer} [request]
 * @param {number} [timeoutMs]
 * @returns {Promise<string | undefined>} undefined if no response arrives in time
 */
export function exchange({ host, port }, request, timeoutMs = 2_000) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (/** @type {string | undefined} */ response) =>
      (socket.destroy(), resolve(response));
    socket.once('connect', () => request !== undefined && socket.write(request));
    socket.once('data', (data) => end(data.toString('latin1')));
    socket.once('timeout', () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('close', () => end(undefined));
  });
}

/**
 * @param {Endpoint} endpoint
 * @param {number} [timeoutMs]
 * @returns {Promise<boolean>} whether a server accepts connections
 */
export function accepts({ host, port }, timeoutMs = 2_000) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (/** @type {boolean} */ isAccepted) =>
      (socket.destroy(), resolve(isAccepted));
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

/** PostgreSQL's SSLRequest (protocol manual, "Message Formats"): the server responds with one letter before any authentication. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Checks of each kind of server that need no password.
 * @type {Record<string, (endpoint: Endpoint) => Promise<boolean>>}
 */
export const PROBES = {
  postgres: async (endpoint) => /^[SN]/.test((await exchange(endpoint, SSL_REQUEST)) ?? ''),
  redis: async (endpoint) => /^(\+PONG|-NOAUTH)/.test((await exchange(endpoint, 'PING\r\n')) ?? ''),
  nats: async (endpoint) => ((await exchange(endpoint)) ?? '').startsWith('INFO '),
};

/**
 * @param {string} kind postgres, redis or nats
 * @param {string} url address of the server; only the first of several addresses counts
 * @returns {Endpoint | undefined} undefined if it is not a TCP address, such as a unix socket
 */
export function endpointOf(kind, url) {
  const first = url.split(',')[0] ?? '';
  const full = first.includes('://') ? first : `nats://${first}`;
  const parsed = URL.canParse(full) ? new URL(full) : undefined;
  if (!parsed?.hostname) return undefined;
  const defaultPort = /** @type {Record<string, number>} */ ({ postgres: 5432, redis: 6379, nats: 4222 })[kind];
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port) || /** @type {number} */ (defaultPort),
  };
}
