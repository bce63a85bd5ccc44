import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers of the request for another protocol, which the client also sends if it can do without (RFC 9110, 7.8). */
const UPGRADE_HEADERS = new Set(['upgrade', 'connection', 'http2-settings']);

/**
 * Lets a server handle a request for another protocol as an ordinary request. With a listener for `upgrade`, Node.js would
 * leave it to that one. The client of Java, for example, offers HTTP/2 with its first request.
 */
export function continueAsRequest(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${request.rawHeaders[index + 1]}`);
  }
  socket.removeAllListeners('error');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
