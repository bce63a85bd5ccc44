import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, ValidationError, type ErrorDetails } from '@millrace/contracts/kit/api-error';

/** RFC 9512, and the names that were in use before it. */
const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml'];

/** A body that is YAML comes as `{ yaml: <text> }`; the service that it is for reads it. */
export function readYamlBody(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(YAML_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    const wrong = refuseCoding(request);
    if (wrong) done(new ValidationError(wrong, 'The YAML body cannot be read'), undefined);
    else if (isUtf8(body as Buffer)) done(null, { yaml: body.toString() });
    else done(new ApiError('validation_error', 'The YAML body is not valid UTF-8'), undefined);
  });
}

/** What is packed or of another charset may be valid UTF-8 by chance, and would be taken for another text. */
function refuseCoding({ headers }: FastifyRequest): ErrorDetails | null {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return { 'header.Content-Encoding': 'is not taken; send the body as it is' };
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  const known = charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
  return known ? null : { 'header.Content-Type': 'must be of the charset utf-8' };
}
