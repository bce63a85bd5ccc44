import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { GATEWAY_ENV, type GatewayEnv } from '../env.js';
import { rateLimitedError, RateLimiter } from './rate-limiter.js';
import type { Admission } from './token-bucket.js';

/**
 * Limits the requests of a credential, or of an address without one (RATE_LIMIT_PER_MINUTE). While Redis is down, all
 * requests are admitted: these limits protect shared capacity and are not a security control. The limits on sign-in are
 * one; auth enforces them without Redis.
 */
@Injectable()
export class RateLimits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly limiter: RateLimiter;
  private readonly policy: string;

  constructor(
    @Inject(GATEWAY_ENV) { RATE_LIMIT_PER_MINUTE }: GatewayEnv,
    @Inject(MESSAGING_OPTIONS) messaging: MessagingOptions,
  ) {
    this.limiter = new RateLimiter(RATE_LIMIT_PER_MINUTE, messaging);
    const { burst } = this.limiter.allowance;
    const windowSeconds = Math.round((60 * burst) / RATE_LIMIT_PER_MINUTE);
    this.policy = `${burst};w=${windowSeconds}`;
  }

  onApplicationBootstrap(): Promise<void> {
    return this.limiter.connect();
  }

  onApplicationShutdown(): void {
    this.limiter.close();
  }

  /**
   * Takes one token for a request and sets the `RateLimit-*` headers
   * (draft-ietf-httpapi-ratelimit-headers-07; the limit is the burst).
   * @throws ApiError `rate_limited` if there is none
   */
  async admit(subject: string, reply: FastifyReply): Promise<void> {
    const taken = this.limiter.take(subject);
    // Usually this gateway has a token, and the request continues without waiting.
    const admission = taken instanceof Promise ? await taken : taken;
    if (admission) this.applyAdmission(admission, reply);
  }

  private applyAdmission(admission: Admission, reply: FastifyReply): void {
    void reply.headers({
      'ratelimit-limit': this.limiter.allowance.burst,
      'ratelimit-policy': this.policy,
      'ratelimit-remaining': admission.remaining,
      'ratelimit-reset': admission.resetSeconds,
    });
    if (!admission.isAdmitted) throw rateLimitedError(admission.retrySeconds);
  }

  /** @throws ApiError `rate_limited` if the subject is known to have no token left; takes none */
  rejectExhausted(subject: string): void {
    const rejection = this.limiter.findExhausted(subject);
    if (rejection) throw rateLimitedError(rejection.retrySeconds);
  }
}
