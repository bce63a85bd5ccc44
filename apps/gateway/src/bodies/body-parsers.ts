import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { appendRows } from '@millrace/contracts/datasets/rows';
import { ApiError, type ErrorDetails, ValidationError } from '@millrace/contracts/kit/api-error';
import { restOperations } from '@millrace/contracts/registry';
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

const RAW_BODY_TYPE = 'application/vnd.millrace.signed';

/** Preserves the raw bytes of bodies of any type that their sender may have signed: a parsed body cannot be verified. */
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

/** RFC 9512, and the names in use before it. */
const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml'];

/** Passes a YAML body on as `{ yaml: <text> }`; the service that handles the operation parses it. */
export function parseYamlBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(YAML_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    const problem = findBadEncoding(request);
    if (problem) done(new ValidationError(problem, 'The YAML body cannot be read.'), undefined);
    else if (isUtf8(body as Buffer)) done(null, { yaml: body.toString() });
    else done(new ApiError('validation_error', 'The YAML body is not valid UTF-8.'), undefined);
  });
}

/** A compressed body, or one in another charset, may be valid UTF-8 by chance and would be read as a different text. */
function findBadEncoding({ headers }: FastifyRequest): ErrorDetails | null {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return { 'header.Content-Encoding': `must be identity (got ${encoding.slice(0, 40)}); send the YAML uncompressed` };
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  const isUtf8Charset = charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
  return isUtf8Charset ? null : { 'header.Content-Type': `must have the charset utf-8 (got ${charset.slice(0, 40)})` };
}
