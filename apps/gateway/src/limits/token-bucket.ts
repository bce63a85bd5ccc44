import type { Grant } from './take-tokens.js';

/** What a request is told of its limit. */
export interface Verdict {
  isAdmitted: boolean;
  remaining: number;
  resetSeconds: number;
  /** 0 where it is admitted. */
  retrySeconds: number;
}

/**
 * Tokens of a lot that nobody wanted within this time lapse: until then they are missing at other gateways. With a thousand
 * callers at five requests a second each, one second made one request in five ask Redis, five make it one in twenty.
 */
const LAPSE_MS = 5_000;

/**
 * One subject's tokens at this gateway. They are fetched in lots that double while each is used up before it lapses, so
 * that a busy caller costs one question to Redis a lot, and no more than a lot is lost where the caller goes to another gateway.
 */
export class Bucket {
  private held = 0;
  private lapsesAt = 0;
  private lot = 0;
  private remaining = 0;
  private fullAt = 0;
  private refusedUntil = 0;
  private filling: Promise<void> | null = null;

  /**
   * @param largestLot tokens
   * @param tokenMs how long it takes until there is one more
   */
  constructor(
    private readonly largestLot: number,
    private readonly tokenMs: number,
    private readonly burst: number,
  ) {}

  /** Whether there is nothing to be had before some moment that is still to come. */
  isSpent(now: number): boolean {
    return now < this.refusedUntil;
  }

  /** Admits by a token that is held, or refuses while there is none to be had; undefined where it has to be filled. */
  take(now: number): Verdict | undefined {
    if (this.held > 0 && now < this.lapsesAt) {
      this.held -= 1;
      return this.verdict(now, 0);
    }
    return this.isSpent(now) ? this.verdict(now, this.refusedUntil - now) : undefined;
  }

  /** Fetches the next lot; whoever asks meanwhile waits for the same one. @throws what `fetch` does */
  fill(fetch: (wanted: number) => Promise<Grant>): Promise<void> {
    this.filling ??= this.fetchLot(fetch).finally(() => {
      this.filling = null;
    });
    return this.filling;
  }

  private async fetchLot(fetch: (wanted: number) => Promise<Grant>): Promise<void> {
    this.lot = this.nextLot(Date.now());
    const { granted, remaining, fullInMs } = await fetch(this.lot);
    const now = Date.now();
    this.held = granted;
    this.remaining = remaining;
    this.lapsesAt = now + LAPSE_MS;
    this.fullAt = now + fullInMs;
    // Never in the past, or those who wait for this answer would ask again at once.
    if (granted === 0) this.refusedUntil = now + Math.max(1, fullInMs - (this.burst - 1) * this.tokenMs);
  }

  /** Twice the last one where that was used up; as much as was used of it where some lapsed. */
  private nextLot(now: number): number {
    const wasUsedUp = this.held === 0 && now < this.lapsesAt;
    const used = this.lot - this.held;
    return Math.max(1, Math.min(wasUsedUp ? this.lot * 2 : used, this.largestLot));
  }

  private verdict(now: number, waitMs: number): Verdict {
    return {
      isAdmitted: waitMs === 0,
      remaining: waitMs === 0 ? this.remaining + this.held : 0,
      resetSeconds: Math.max(0, Math.ceil((this.fullAt - now) / 1000)),
      retrySeconds: Math.ceil(waitMs / 1000),
    };
  }
}
