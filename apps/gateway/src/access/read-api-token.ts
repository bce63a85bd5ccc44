import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** What was read already: a request is asked for its token at every turn. */
const read = new WeakMap<FastifyRequest, string | undefined>();

/** SHA-256 (hex) of the token in `Token <API token>`; undefined for anything else. A token with a dot is a JWT, and none of these. */
export function readApiToken(request: FastifyRequest): string | undefined {
  if (!read.has(request)) read.set(request, hashOf(request.headers.authorization));
  return read.get(request);
}

function hashOf(authorization: string | undefined): string | undefined {
  const [, token] = /^Token +([^\s.]+) *$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : hash('sha256', token, 'hex');
}
