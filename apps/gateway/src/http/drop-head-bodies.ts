import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** Closes the content of a response to HEAD. Fastify would read it to its end, and an archive can have a terabyte. */
export function dropHeadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return done();
    payload.destroy();
    // Fastify keeps the header `Content-Length` of a stream only.
    done(null, Readable.from([]));
  });
}
