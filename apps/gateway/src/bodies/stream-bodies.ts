import type { FastifyInstance, FastifyRequest } from 'fastify';
import { appendRows } from '@millrace/contracts/datasets/rows';
import { writeSandboxFile } from '@millrace/contracts/runs/sandbox';
import { routePathOf } from '../routes/route.js';

const STREAMED_BODY_TYPE = 'application/vnd.millrace.rows';
const clientTypes = new WeakMap<FastifyRequest, string>();

/** The media type that the client sent for a streamed body. */
export const clientTypeOf = (request: FastifyRequest): string | undefined => clientTypes.get(request);

/** Passes bodies of rows and files on as streams. Fastify chooses parsers by media type alone, and the one for JSON would buffer them. */
export function streamBodies(fastify: FastifyInstance, base: string): void {
  const routes = [appendRows, writeSandboxFile].map(
    (operation) => `${operation.method} ${base}${routePathOf(operation)}`,
  );
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (routes.includes(`${request.method} ${request.routeOptions.url ?? ''}`)) {
      clientTypes.set(request, request.headers['content-type'] ?? '');
      request.headers['content-type'] = STREAMED_BODY_TYPE;
    }
    done();
  });
  fastify.addContentTypeParser(STREAMED_BODY_TYPE, (_request, payload, done) => {
    done(null, payload);
  });
}
