import type { FastifyInstance } from 'fastify';
import { restOperations } from '@millrace/contracts/registry';
import { routePathOf } from '../routes/route.js';

const RAW_BODY_TYPE = 'application/vnd.millrace.signed';

/** Keeps the raw bytes of bodies that their sender may have signed, whatever their type: a parsed body cannot be verified. */
export function keepSignedBodies(fastify: FastifyInstance, base: string): void {
  const routes = restOperations
    .filter(({ transfer }) => transfer === 'signed' || transfer === 'raw')
    .map((operation) => `${operation.method} ${base}${routePathOf(operation)}`);
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (routes.includes(`${request.method} ${request.routeOptions.url ?? ''}`))
      request.headers['content-type'] = RAW_BODY_TYPE;
    done();
  });
  fastify.addContentTypeParser(RAW_BODY_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
