import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {{ perSecond: number, p50: number, p99: number }} Load requests per second, and latencies in milliseconds */

/**
 * @typedef {object} LoadOptions
 * @property {string[]} urls URLs of one host; each connection requests one of them
 * @property {number} connections
 * @property {number} seconds maximum duration; any message from the parent process ends the load earlier
 * @property {string[]} tokens API tokens, used in rotation; empty if the URLs need no token
 * @property {number} pauseMs pause between a response and the next request on the same connection
 */

/**
 * Requests URLs repeatedly on keep-alive connections. It uses bare sockets, so that on a small machine the client takes
 * little of the CPU time that is measured.
 * @param {LoadOptions} options
 * @returns {Promise<Load>}
 */
async function load({ urls, connections, seconds, tokens, pauseMs }) {
  const { hostname, port, host } = new URL(urls[0] ?? '');
  const requests = urls.map((url) => {
    const { pathname, search } = new URL(url);
    return (tokens.length === 0 ? [''] : tokens).map((token) => {
      const authorization = token === '' ? '' : `authorization: Token ${token}\r\n`;
      return Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${authorization}\r\n`);
    });
  });
  let stopped = false;
  process.once('message', () => (stopped = true));
  let sent = 0;
  /** @type {number[]} */
  const latencies = [];
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  const runConnection = (/** @type {number} */ number) =>
    new Promise((resolve, reject) => {
      const variants = requests[number % requests.length] ?? [];
      const socket = connect(Number(port), hostname).on('error', reject).setNoDelay();
      let received = Buffer.alloc(0);
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(variants[sent % variants.length] ?? '');
        sent += 1;
      };
      socket.on('connect', () => void sleep((pauseMs / connections) * number).then(send));
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const size = responseSize(received);
        if (size === null || received.length < size) return;
        received = received.subarray(size);
        latencies.push(performance.now() - sentAt);
        if (!stopped && performance.now() < deadline) return pauseMs === 0 ? send() : void setTimeout(send, pauseMs);
        socket.destroy();
        resolve(undefined);
      });
    });
  await Promise.all(Array.from({ length: connections }, (_, number) => runConnection(number)));
  const elapsed = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const percentile = (/** @type {number} */ share) => latencies[Math.floor(latencies.length * share)] ?? NaN;
  return { perSecond: latencies.length / elapsed, p50: percentile(0.5), p99: percentile(0.99) };
}

/**
 * @param {Buffer} received
 * @returns {number | null} length in bytes of the first response; null if its head is incomplete
 */
function responseSize(received) {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = received.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`Expected status 200, got: ${head.split('\r\n')[0]}`);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('The response has no Content-Length');
  return end + 4 + Number(length);
}

process.send?.(await load(JSON.parse(process.argv[2] ?? '')));
process.disconnect();
