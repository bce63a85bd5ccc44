import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';

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
