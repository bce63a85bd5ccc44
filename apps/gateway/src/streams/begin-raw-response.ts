import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { handwrittenHeaders } from '../http/security-headers.js';

/**
 * Sends the headers of a reply whose body is written past Fastify's own sending, at once: who follows something quiet must
 * not wait for its first line to know that all is well. What HEAD asks for ends with them, for a body that goes on would
 * keep the connection from the client's next request.
 */
export function answerByHand(reply: FastifyReply, headers: OutgoingHttpHeaders, status = 200): void {
  reply.hijack();
  reply.raw.writeHead(status, handwrittenHeaders(reply, headers));
  if (reply.request.method === 'HEAD') reply.raw.end();
  else reply.raw.flushHeaders();
}
