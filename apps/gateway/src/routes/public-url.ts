import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayEnv } from '../env.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Scheme, host and port of PUBLIC_URL if it is set, otherwise the ones that the client used; without a trailing slash. */
    readonly publicOrigin: string;
    /** Whether the client's connection to the gateway, or to the proxy in front, uses TLS. */
    readonly isTls: boolean;
  }
}

/** Adds `publicOrigin` and `isTls` to every request. */
export function decoratePublicOrigin(fastify: FastifyInstance, { PUBLIC_URL }: Pick<GatewayEnv, 'PUBLIC_URL'>): void {
  const configured = PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).origin;
  const isConfiguredTls = configured?.startsWith('https:') ?? false;
  fastify.decorateRequest('publicOrigin', {
    getter(this: FastifyRequest) {
      return configured ?? requestOrigin(this);
    },
  });
  fastify.decorateRequest('isTls', {
    getter(this: FastifyRequest) {
      return isConfiguredTls || this.protocol === 'https';
    },
  });
}

/** Scheme, host and port that the client used, whatever PUBLIC_URL is. */
export const requestOrigin = ({ protocol, host }: FastifyRequest): string => originOf(`${protocol}://${host}`);

/** The client writes the Host header, so it may not be a valid host. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'http://localhost');

/** Absolute URL of a request as the client sees it. */
export const publicUrl = (request: FastifyRequest): URL => new URL(request.url, request.publicOrigin);
