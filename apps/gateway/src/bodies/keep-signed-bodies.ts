import type { FastifyInstance } from 'fastify';
import { restOperations } from '@millrace/contracts/registry';
import { routeOf } from '../routes/route.js';

const KEPT = 'application/vnd.millrace.signed';

/** Bodies that can be signed by their sender come as their bytes, whatever their type is: once parsed the signature is lost. */
export function keepSignedBodies(fastify: FastifyInstance, base: string): void {
  const routes = restOperations
    .filter(({ transfer }) => transfer === 'signed' || transfer === 'raw')
    .map((operation) => `${operation.method} ${base}${routeOf(operation)}`);
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (routes.includes(`${request.method} ${request.routeOptions.url ?? ''}`)) request.headers['content-type'] = KEPT;
    done();
  });
  fastify.addContentTypeParser(KEPT, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
