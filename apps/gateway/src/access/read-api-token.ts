import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Hashes by request: guard, strategy and stream checks all hashes the token of the same request. */
const hashes = new WeakMap<FastifyRequest, string | undefined>();

/** SHA-256 (hex) of the token in `Token <API token>`; undefined for anything else. A token with a dot is a JWT. */
export function hashApiToken(request: FastifyRequest): string | undefined {
  if (!hashes.has(request)) hashes.set(request, hashCredential(request.headers.authorization));
  return hashes.get(request);
}

function hashCredential(authorization: string | undefined): string | undefined {
  const [, token] = /^Token +([^\s.]+) *$/i.exec(authorization ?? '') ?? [];
  return token === undefined ? undefined : hash('sha256', token, 'hex');
}
