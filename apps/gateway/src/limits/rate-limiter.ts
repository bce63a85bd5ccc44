import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { redisOptions } from '@millrace/messaging/jobs/redis-options';
import type { MessagingOptions } from '@millrace/messaging/wiring/messaging-options';
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
 * Limits what any number of subjects do, each to the same allowance, across all copies of the gateway through Redis. While
 * Redis is down, everything is admitted.
 */
export class RateLimiter {
  private readonly logger = new Logger(RateLimiter.name);
  readonly allowance: Allowance;
  private readonly redis: Redis | null;
  private readonly store: TokenStore | null;
  private readonly buckets = new LRUCache<string, TokenBucket>({ max: 50_000 });
  private pausedUntil = 0;
  private nextWarningAt = 0;

  /** @param perMinute 0: no limit */
  constructor(perMinute: number, { redisUrl, redisTls }: Pick<MessagingOptions, 'redisUrl' | 'redisTls'>) {
    this.allowance = allowanceOf(perMinute);
    this.redis = perMinute === 0 ? null : connectLimitsRedis(redisOptions(redisUrl, redisTls));
    this.store = this.redis && new TokenStore(this.redis, this.allowance);
  }

  /** Waits for the connection, so that the first requests are limited too; returns without it after a second. */
  async connect(): Promise<void> {
    if (!this.redis || this.redis.status === 'ready') return;
    await once(this.redis, 'ready', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) }).catch(() => undefined);
  }

  close(): void {
    this.redis?.disconnect();
  }

  /**
   * Takes one token of a subject. Usually this gateway has one, and the result is not a promise.
   * @returns null if there is no limit, or Redis is down
   */
  take(subject: string): Admission | null | Promise<Admission | null> {
    if (!this.store) return null;
    return this.bucketOf(subject).take(Date.now()) ?? this.fetchAndTake(this.store, subject);
  }

  /** @returns the rejection of a subject that is known to have no token left; takes none */
  findExhausted(subject: string): Admission | null {
    const now = Date.now();
    const bucket = this.buckets.get(subject);
    return bucket?.isExhausted(now) ? (bucket.take(now) ?? null) : null;
  }

  private async fetchAndTake(store: TokenStore, subject: string): Promise<Admission | null> {
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

export function rateLimitedError(seconds: number): ApiError {
  const retryAfter = Math.max(1, seconds);
  return new ApiError('rate_limited', `Too many requests. Try again in ${retryAfter} s.`, { retry_after: retryAfter });
}
