import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { withLogFields } from '@millrace/messaging/tracing/log-fields';

const logger = new Logger('Requests');

/** Gives the log lines of each request its id, and logs its end at level debug. */
export function logRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => withLogFields({ requestId: request.id }, done));
  // Again, because the body is parsed in callbacks of the socket, which do not belong to the request.
  fastify.addHook('preValidation', (request, _reply, done) => withLogFields({ requestId: request.id }, done));
  fastify.addHook('onResponse', (request, reply, done) => {
    logger.debug({
      message: 'Request handled',
      requestId: request.id,
      method: request.method,
      // The route instead of the path, which may contain a credential.
      route: request.routeOptions.url,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    });
    done();
  });
}
