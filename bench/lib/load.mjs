import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {{ perSecond: number, p50: number, p99: number }} Load milliseconds */

/**
 * @typedef {object} LoadOrder
 * @property {string[]} urls of one host; connections use them in turn
 * @property {number} connections
 * @property {number} seconds at most; any message ends the load earlier
 * @property {string[]} tokens API tokens, used in turn; none if the URLs need no token
 * @property {number} pauseMs between a response and the next request of its connection
 */

/**
 * Requests URLs again and again on kept-alive connections. It uses bare sockets, so that on a small machine the client
 * takes little of the CPU time that is measured.
 * @param {LoadOrder} order
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
  let over = false;
  process.once('message', () => (over = true));
  let sent = 0;
  /** @type {number[]} */
  const latencies = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  const runConnection = (/** @type {number} */ number) =>
    new Promise((resolve, reject) => {
      const own = requests[number % requests.length] ?? [];
      const socket = connect(Number(port), hostname).on('error', reject).setNoDelay();
      let received = Buffer.alloc(0);
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(own[sent % own.length] ?? '');
        sent += 1;
      };
      socket.on('connect', () => void sleep((pauseMs / connections) * number).then(send));
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const size = responseSize(received);
        if (size === null || received.length < size) return;
        received = received.subarray(size);
        latencies.push(performance.now() - sentAt);
        if (!over && performance.now() < until) return pauseMs === 0 ? send() : void setTimeout(send, pauseMs);
        socket.destroy();
        resolve(undefined);
      });
    });
  await Promise.all(Array.from({ length: connections }, (_, number) => runConnection(number)));
  const elapsed = (performance.now() - began) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => latencies[Math.floor(latencies.length * share)] ?? NaN;
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99) };
}

/**
 * @param {Buffer} received
 * @returns {number | null} bytes of the response at its start; null where its head is not complete
 */
function responseSize(received) {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = received.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.split('\r\n')[0]);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('A response without Content-Length');
  return end + 4 + Number(length);
}

process.send?.(await load(JSON.parse(process.argv[2] ?? '')));
process.disconnect();
