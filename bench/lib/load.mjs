import { connect } from 'node:net';

/** @typedef {{ perSecond: number, p50: number, p99: number }} Load milliseconds */

/**
 * Asks one URL again and again on each of some kept-alive connections. On bare sockets, so that on a small machine the
 * one who asks takes little of what is measured.
 * @param {string} url
 * @param {number} connections
 * @param {number} seconds
 * @param {string[]} tokens API tokens, taken by turns; none where nothing is asked for
 * @returns {Promise<Load>}
 */
async function load(url, connections, seconds, tokens) {
  const { hostname, port, pathname, search, host } = new URL(url);
  const requests = (tokens.length === 0 ? [''] : tokens).map((token) => {
    const authorization = token === '' ? '' : `authorization: Token ${token}\r\n`;
    return Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${authorization}\r\n`);
  });
  let sent = 0;
  /** @type {number[]} */
  const latencies = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  const ask = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname).on('error', reject).setNoDelay();
      let received = Buffer.alloc(0);
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(requests[sent % requests.length] ?? '');
        sent += 1;
      };
      socket.on('connect', send);
      socket.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const size = responseSize(received);
        if (size === null || received.length < size) return;
        received = received.subarray(size);
        latencies.push(performance.now() - sentAt);
        if (performance.now() < until) return send();
        socket.destroy();
        resolve(undefined);
      });
    });
  await Promise.all(Array.from({ length: connections }, ask));
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

const [url = '', connections, seconds, tokens = ''] = process.argv.slice(2);
process.send?.(await load(url, Number(connections), Number(seconds), tokens.split(',').filter(Boolean)));
process.disconnect();
