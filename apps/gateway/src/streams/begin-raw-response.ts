import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { rawResponseHeaders } from '../http/security-headers.js';

/**
 * Sends the headers of a response whose body is written past Fastify, without waiting for the first byte of the body: a
 * client of a quiet stream sees at once that the request succeeded. A HEAD response ends here, because an unfinished body
 * would block the client's next request on the connection.
 */
export function beginRawResponse(reply: FastifyReply, headers: OutgoingHttpHeaders, status = 200): void {
  reply.hijack();
  reply.raw.writeHead(status, rawResponseHeaders(reply, headers));
  if (reply.request.method === 'HEAD') reply.raw.end();
  else reply.raw.flushHeaders();
}
