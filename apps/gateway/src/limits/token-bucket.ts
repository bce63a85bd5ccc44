import type { Grant } from './take-tokens.js';

/** The state of the limit that a request is informed of. */
export interface Admission {
  isAdmitted: boolean;
  remaining: number;
  resetSeconds: number;
  /** 0 if the request is admitted. */
  retrySeconds: number;
}

/**
 * Unused tokens of a batch expire after this time, because other gateways cannot use them meanwhile. With a thousand
 * callers at five requests a second each, a time of 1 s sends one request in five to Redis, 5 s one in twenty.
 */
const TOKEN_TTL_MS = 5_000;

/**
 * One subject's tokens at this gateway. They are fetched in batches, whose size doubles while each batch is used up before
 * it expires. A busy caller thus costs one call to Redis per batch, and loses at most one batch on changing the gateway.
 */
export class TokenBucket {
  private tokens = 0;
  private expiresAt = 0;
  private batchSize = 0;
  private remaining = 0;
  private fullAt = 0;
  private refusedUntil = 0;
  private filling: Promise<void> | null = null;

  /**
   * @param maxBatchSize in tokens
   * @param tokenMs milliseconds until the bucket gains one token
   */
  constructor(
    private readonly maxBatchSize: number,
    private readonly tokenMs: number,
    private readonly burst: number,
  ) {}

  /** Whether the subject is known to have no token left at `now`. */
  isExhausted(now: number): boolean {
    return now < this.refusedUntil;
  }

  /** Admits by a local token, or rejects while the bucket is exhausted; undefined if it has to be filled first. */
  take(now: number): Admission | undefined {
    if (this.tokens > 0 && now < this.expiresAt) {
      this.tokens -= 1;
      return this.admission(now, 0);
    }
    return this.isExhausted(now) ? this.admission(now, this.refusedUntil - now) : undefined;
  }

  /** Fetches the next batch; concurrent calls share it. @throws errors of `fetch` */
  fill(fetch: (tokens: number) => Promise<Grant>): Promise<void> {
    this.filling ??= this.fetchBatch(fetch).finally(() => {
      this.filling = null;
    });
    return this.filling;
  }

  private async fetchBatch(fetch: (tokens: number) => Promise<Grant>): Promise<void> {
    this.batchSize = this.nextBatchSize(Date.now());
    const { granted, remaining, fullInMs } = await fetch(this.batchSize);
    const now = Date.now();
    this.tokens = granted;
    this.remaining = remaining;
    this.expiresAt = now + TOKEN_TTL_MS;
    this.fullAt = now + fullInMs;
    // At least 1 ms ahead: otherwise the requests that wait for this batch would fetch another one immediately.
    if (granted === 0) this.refusedUntil = now + Math.max(1, fullInMs - (this.burst - 1) * this.tokenMs);
  }

  /** Twice the last batch if it was used up; otherwise as many tokens as were used of it. */
  private nextBatchSize(now: number): number {
    const wasUsedUp = this.tokens === 0 && now < this.expiresAt;
    const used = this.batchSize - this.tokens;
    return Math.max(1, Math.min(wasUsedUp ? this.batchSize * 2 : used, this.maxBatchSize));
  }

  private admission(now: number, waitMs: number): Admission {
    return {
      isAdmitted: waitMs === 0,
      remaining: waitMs === 0 ? this.remaining + this.tokens : 0,
      resetSeconds: Math.max(0, Math.ceil((this.fullAt - now) / 1000)),
      retrySeconds: Math.ceil(waitMs / 1000),
    };
  }
}
