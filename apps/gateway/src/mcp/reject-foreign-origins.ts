import type { FastifyInstance } from 'fastify';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { GatewayEnv } from '../env.js';

const OWN_ORIGIN = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Rejects requests to the MCP server that a web page of another origin sends, as the protocol demands against DNS rebinding.
 * Programs send no `Origin`. Without PUBLIC_URL the server does not know its own name, and accepts pages of this machine only.
 */
export function rejectForeignOrigins(fastify: FastifyInstance, { PUBLIC_URL, CORS_ORIGINS }: GatewayEnv): void {
  const own = PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).origin;
  const isAllowed = (origin: string) =>
    CORS_ORIGINS.includes(origin) || (own === null ? OWN_ORIGIN.test(origin) : origin === own);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { origin } = request.headers;
    if (request.routeOptions.url !== '/mcp' || origin === undefined || isAllowed(origin)) return done();
    done(
      new ForbiddenError(
        `The MCP server does not accept requests of pages of ${origin.slice(0, 100)}. Add the origin to CORS_ORIGINS.`,
      ),
    );
  });
}
