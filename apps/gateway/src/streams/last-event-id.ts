import type { FastifyRequest } from 'fastify';

/** Number of the last event that the client received before it reconnected (WHATWG HTML, 9.2.4). */
export function readLastEventId(request: FastifyRequest): number | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : undefined;
}
