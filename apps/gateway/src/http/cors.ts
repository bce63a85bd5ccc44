import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { GatewayEnv } from '../env.js';

const KEEP_SECONDS = 600;

/**
 * Lets pages of the origins in CORS_ORIGINS call the API; nobody else's pages may, which is what browsers do where no
 * header says otherwise. Without credentials: there are no cookies to send along, and a token is sent by the page itself.
 */
export async function openToOrigins(fastify: FastifyInstance, { CORS_ORIGINS }: GatewayEnv): Promise<void> {
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
      'range',
      'x-request-id',
    ],
    exposedHeaders: [
      'content-disposition',
      'content-range',
      'etag',
      'ratelimit-limit',
      'ratelimit-policy',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
      'x-log-truncated',
      'x-request-id',
    ],
    maxAge: KEEP_SECONDS,
  });
}
