import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';

/** RFC 9512, and the names that were in use before it. */
const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml'];

/** A body that is YAML comes as `{ yaml: <text> }`; the service that it is for reads it. */
export function readYamlBody(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(YAML_TYPES, { parseAs: 'buffer' }, (_request, body, done) => {
    if (isUtf8(body as Buffer)) done(null, { yaml: body.toString() });
    else done(new ApiError('validation_error', 'The YAML body is not valid UTF-8'), undefined);
  });
}
