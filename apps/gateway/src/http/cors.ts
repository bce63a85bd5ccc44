import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { GatewayEnv } from '../env.js';

const PREFLIGHT_MAX_AGE_SECONDS = 600;

/**
 * Allows pages of the origins in CORS_ORIGINS to call the API. Without CORS headers, browsers refuse all other origins.
 * Credentials stay off: the cookies of a session are for pages of this installation, and any other page sends its token itself.
 */
export async function allowOrigins(fastify: FastifyInstance, { CORS_ORIGINS }: GatewayEnv): Promise<void> {
  if (CORS_ORIGINS.length === 0) return;
  await fastify.register(cors, {
    origin: CORS_ORIGINS,
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-none-match',
      'last-event-id',
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'mcp-session-id',
      'range',
      'x-request-id',
    ],
    exposedHeaders: [
      'content-disposition',
      'content-range',
      'etag',
      'mcp-session-id',
      'ratelimit-limit',
      'ratelimit-policy',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
      'x-log-truncated',
      'x-request-id',
    ],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
  });
}
