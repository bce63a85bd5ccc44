import type { FastifyRequest } from 'fastify';
import type { GatewayEnv } from './env.js';

/** Absolute URL of a request as its sender sees it. */
export function publicUrl(env: Pick<GatewayEnv, 'PUBLIC_URL'>, request: FastifyRequest, path = request.url): URL {
  return new URL(path, env.PUBLIC_URL ?? `${request.protocol}://${request.headers.host ?? request.hostname}`);
}
