import { once } from 'node:events';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { redisOptions } from '@millrace/messaging/jobs/redis-options';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
import { GATEWAY_ENV, type GatewayEnv } from '../env.js';
import { connectLimitsRedis, type Allowance } from './take-tokens.js';
import { TokenBucket, type Admission } from './token-bucket.js';
import { TokenStore } from './token-store.js';

/** How long Redis is not called after a failure, so that an outage does not slow every request. */
const REDIS_RETRY_INTERVAL_MS = 1_000;
const WARNING_INTERVAL_MS = 60_000;
const CONNECT_TIMEOUT_MS = 1_000;

/** The burst is a sixth of a minute's tokens. */
export const allowanceOf = (perMinute: number): Allowance => ({
  perMinute,
  burst: Math.max(1, Math.floor(perMinute / 6)),
});

/**
 * Limits the requests of a credential, or of an address without one (RATE_LIMIT_PER_MINUTE), across all copies of the
 * gateway through Redis. While Redis is down, all requests are admitted: these limits protect shared capacity and are not
 * a security control. The limits on sign-in are one; auth enforces them without Redis.
 */
@Injectable()
export class RateLimits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RateLimits.name);
  private readonly allowance: Allowance;
  private readonly policy: string;
  private readonly redis: Redis | null;
  private readonly store: TokenStore | null;
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: 50_000 });
  private pausedUntil = 0;
  private nextWarningAt = 0;

  constructor(
    @Inject(GATEWAY_ENV) { RATE_LIMIT_PER_MINUTE }: GatewayEnv,
    @Inject(MESSAGING_OPTIONS) { redisUrl, redisTls }: MessagingOptions,
  ) {
    this.allowance = allowanceOf(RATE_LIMIT_PER_MINUTE);
    this.redis = RATE_LIMIT_PER_MINUTE === 0 ? null : connectLimitsRedis(redisOptions(redisUrl, redisTls));
    this.store = this.redis && new TokenStore(this.redis, this.allowance);
    const windowSeconds = Math.round((60 * this.allowance.burst) / RATE_LIMIT_PER_MINUTE);
    this.policy = `${this.allowance.burst};w=${windowSeconds}`;
  }

  /** Waits for the connection, so that the first requests are limited too; starts without it after a second. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.redis || this.redis.status === 'ready') return;
    await once(this.redis, 'ready', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) }).catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /**
   * Takes one token for a request and sets the `RateLimit-*` headers
   * (draft-ietf-httpapi-ratelimit-headers-07; the limit is the burst).
   * @throws ApiError `rate_limited` if there is none
   */
  async admit(subject: string, reply: FastifyReply): Promise<void> {
    if (!this.store) return;
    // Usually this gateway has a token, and the request continues without waiting.
    const admission = this.bucketOf(subject).take(Date.now()) ?? (await this.take(this.store, subject));
    if (admission) this.applyAdmission(admission, reply);
  }

  private applyAdmission(admission: Admission, reply: FastifyReply): void {
    void reply.headers({
      'ratelimit-limit': this.allowance.burst,
      'ratelimit-policy': this.policy,
      'ratelimit-remaining': admission.remaining,
      'ratelimit-reset': admission.resetSeconds,
    });
    if (!admission.isAdmitted) throw rateLimitedError(admission.retrySeconds);
  }

  /** @throws ApiError `rate_limited` if the subject is known to have no token left; takes none */
  rejectExhausted(subject: string): void {
    const now = Date.now();
    const bucket = this.buckets.get(subject);
    if (bucket?.isExhausted(now)) throw rateLimitedError(bucket.take(now)?.retrySeconds ?? 1);
  }

  /** @returns null if Redis is down */
  private async take(store: TokenStore, subject: string): Promise<Admission | null> {
    const bucket = this.bucketOf(subject);
    for (;;) {
      const admission = bucket.take(Date.now());
      if (admission) return admission;
      if (Date.now() < this.pausedUntil) return null;
      try {
        await bucket.fill((tokens) => store.take(subject, tokens));
      } catch (error) {
        this.pauseLimits(error as Error);
        return null;
      }
    }
  }

  private bucketOf(subject: string): TokenBucket {
    const existing = this.buckets.get(subject);
    if (existing) return existing;
    const { burst, perMinute } = this.allowance;
    const bucket = new TokenBucket(Math.max(1, Math.floor(burst / 10)), 60_000 / perMinute, burst);
    this.buckets.set(subject, bucket);
    return bucket;
  }

  private pauseLimits({ message }: Error): void {
    const now = Date.now();
    this.pausedUntil = now + REDIS_RETRY_INTERVAL_MS;
    if (now < this.nextWarningAt) return;
    this.nextWarningAt = now + WARNING_INTERVAL_MS;
    this.logger.warn({ message: 'Redis is not reachable; requests are admitted without rate limits', reason: message });
  }
}

function rateLimitedError(seconds: number): ApiError {
  const retryAfter = Math.max(1, seconds);
  return new ApiError('rate_limited', `Too many requests. Try again in ${retryAfter} s.`, { retry_after: retryAfter });
}
