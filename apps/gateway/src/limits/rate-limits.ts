import { once } from 'node:events';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { GATEWAY_ENV, type GatewayEnv } from '../env.js';
import { connectLimits, type Allowance } from './take-tokens.js';
import { Bucket, type Verdict } from './token-bucket.js';
import { TokenStore } from './token-store.js';

/** After Redis failed it is left alone for this long, so that a dead one does not slow every request. */
const PAUSE_MS = 1_000;
const SAY_EVERY_MS = 60_000;
const CONNECT_MS = 1_000;

/** A sixth of a minute's tokens at once. */
export const allowanceOf = (perMinute: number): Allowance => ({
  perMinute,
  burst: Math.max(1, Math.floor(perMinute / 6)),
});

/**
 * How many requests a credential, or an address without one, may make (RATE_LIMIT_PER_MINUTE), shared between all copies
 * of the gateway through Redis. Where Redis is away everybody is let through: these limits keep one caller from using up
 * what is there for all, and are no lock. The limits on sign-in, which are one, are auth's and do not need Redis.
 */
@Injectable()
export class RateLimits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RateLimits.name);
  private readonly allowance: Allowance;
  private readonly policy: string;
  private readonly redis: Redis | null;
  private readonly store: TokenStore | null;
  private readonly buckets = new LRUCache<string, Bucket>({ max: 50_000 });
  private pausedUntil = 0;
  private silentUntil = 0;

  constructor(@Inject(GATEWAY_ENV) { RATE_LIMIT_PER_MINUTE, REDIS_URL }: GatewayEnv) {
    this.allowance = allowanceOf(RATE_LIMIT_PER_MINUTE);
    this.redis = RATE_LIMIT_PER_MINUTE === 0 ? null : connectLimits(REDIS_URL);
    this.store = this.redis && new TokenStore(this.redis, this.allowance);
    const windowSeconds = Math.round((60 * this.allowance.burst) / RATE_LIMIT_PER_MINUTE);
    this.policy = `${this.allowance.burst};w=${windowSeconds}`;
  }

  /** The first requests find Redis connected, where it is there. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.redis || this.redis.status === 'ready') return;
    await once(this.redis, 'ready', { signal: AbortSignal.timeout(CONNECT_MS) }).catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /**
   * Takes one token for a request and tells its sender how many are left, in `RateLimit-*` headers
   * (draft-ietf-httpapi-ratelimit-headers-07; the limit is what may be sent at once).
   * @throws ApiError `rate_limited` where there is none
   */
  async admit(subject: string, reply: FastifyReply): Promise<void> {
    if (!this.store) return;
    // Most often a token is held here: then nothing is waited for.
    const verdict = this.bucketOf(subject).take(Date.now()) ?? (await this.take(this.store, subject));
    if (verdict) this.tell(verdict, reply);
  }

  private tell(verdict: Verdict, reply: FastifyReply): void {
    void reply.headers({
      'ratelimit-limit': this.allowance.burst,
      'ratelimit-policy': this.policy,
      'ratelimit-remaining': verdict.remaining,
      'ratelimit-reset': verdict.resetSeconds,
    });
    if (!verdict.isAdmitted) throw tooMany(verdict.retrySeconds);
  }

  /** @throws ApiError `rate_limited` where it is known here that a subject has no token left; takes none */
  refuseSpent(subject: string): void {
    const now = Date.now();
    const bucket = this.buckets.get(subject);
    if (bucket?.isSpent(now)) throw tooMany(bucket.take(now)?.retrySeconds ?? 1);
  }

  /** @returns null where Redis is away */
  private async take(store: TokenStore, subject: string): Promise<Verdict | null> {
    const bucket = this.bucketOf(subject);
    for (;;) {
      const verdict = bucket.take(Date.now());
      if (verdict) return verdict;
      if (Date.now() < this.pausedUntil) return null;
      try {
        await bucket.fill((wanted) => store.take(subject, wanted));
      } catch (error) {
        this.pause(error as Error);
        return null;
      }
    }
  }

  private bucketOf(subject: string): Bucket {
    const known = this.buckets.get(subject);
    if (known) return known;
    const { burst, perMinute } = this.allowance;
    const bucket = new Bucket(Math.max(1, Math.floor(burst / 10)), 60_000 / perMinute, burst);
    this.buckets.set(subject, bucket);
    return bucket;
  }

  private pause({ message }: Error): void {
    const now = Date.now();
    this.pausedUntil = now + PAUSE_MS;
    if (now < this.silentUntil) return;
    this.silentUntil = now + SAY_EVERY_MS;
    this.logger.warn(`Redis does not answer; requests are let through without limits: ${message}`);
  }
}

const tooMany = (seconds: number): ApiError =>
  new ApiError('rate_limited', 'Too many requests; try again later', { retry_after: Math.max(1, seconds) });
