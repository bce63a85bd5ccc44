import type { FastifyReply } from 'fastify';
import type { ApiError } from '@millrace/contracts/kit/api-error';

const RETRIABLE_CODES: readonly ApiError['code'][] = ['rate_limited', 'unavailable', 'storage_full'];
const DEFAULT_SECONDS = 60;

/** Sets `Retry-After` (RFC 9110, 10.2.3), in seconds, on failures that end by themselves. */
export function setRetryAfter({ code, details }: ApiError, reply: FastifyReply): void {
  if (!RETRIABLE_CODES.includes(code)) return;
  const seconds = details?.['retry_after'];
  void reply.header('retry-after', typeof seconds === 'number' ? seconds : DEFAULT_SECONDS);
}
