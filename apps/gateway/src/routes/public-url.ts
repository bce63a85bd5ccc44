import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayEnv } from '../env.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Scheme, host and port under which the sender reached us, or those of PUBLIC_URL; no slash at the end. */
    readonly publicOrigin: string;
    /** Whether the sender's way to us, or to the proxy in front, is encrypted. */
    readonly isTls: boolean;
  }
}

/** Lets every request say where it reached us, as its sender sees it. */
export function decorateOrigin(fastify: FastifyInstance, { PUBLIC_URL }: Pick<GatewayEnv, 'PUBLIC_URL'>): void {
  const configured = PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).origin;
  const isConfiguredTls = configured?.startsWith('https:') ?? false;
  fastify.decorateRequest('publicOrigin', {
    getter(this: FastifyRequest) {
      return configured ?? originOf(`${this.protocol}://${this.host}`);
    },
  });
  fastify.decorateRequest('isTls', {
    getter(this: FastifyRequest) {
      return isConfiguredTls || this.protocol === 'https';
    },
  });
}

/** The Host header is the client's to write, and may be no host at all. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'http://localhost');

/** Absolute URL of a request as its sender sees it. */
export const publicUrl = (request: FastifyRequest): URL => new URL(request.url, request.publicOrigin);
