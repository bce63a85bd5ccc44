import type { FastifyInstance, FastifyRequest } from 'fastify';
import { appendRows } from '@millrace/contracts/datasets/rows';
import { writeSandboxFile } from '@millrace/contracts/runs/sandbox';
import { routeOf } from '../routes/route.js';

const STREAMED = 'application/vnd.millrace.rows';
const told = new WeakMap<FastifyRequest, string>();

/** The media type that the client gave for what is streamed. */
export const toldTypeOf = (request: FastifyRequest): string | undefined => told.get(request);

/** Bodies of rows and of files come as streams whatever their type is: parsers are chosen by the type alone, and JSON's would hold them. */
export function streamRows(fastify: FastifyInstance, base: string): void {
  const routes = [appendRows, writeSandboxFile].map((one) => `${one.method} ${base}${routeOf(one)}`);
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (routes.includes(`${request.method} ${request.routeOptions.url ?? ''}`)) {
      told.set(request, request.headers['content-type'] ?? '');
      request.headers['content-type'] = STREAMED;
    }
    done();
  });
  fastify.addContentTypeParser(STREAMED, (_request, payload, done) => {
    done(null, payload);
  });
}
