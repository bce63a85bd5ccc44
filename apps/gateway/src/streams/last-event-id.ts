import type { FastifyRequest } from 'fastify';

/** Where a stream that broke goes on: behind the last event that its reader got (WHATWG HTML, 9.2.4). */
export function lastEventId(request: FastifyRequest): number | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : undefined;
}
