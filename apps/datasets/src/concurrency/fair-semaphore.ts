import { ApiError } from '@millrace/contracts/kit/api-error';

export interface TurnLimits {
  /** Running at once. */
  total: number;
  /** Of these, of one user. */
  perUser: number;
  /** Of all, kept for users of whom none runs. */
  reserved: number;
  /** How long one waits for a turn, in milliseconds. */
  waitMs: number;
}

interface Waiting {
  user: string;
  start: () => void;
}

/** For `waitMs`, in milliseconds: less than after which the gateway asks again, which would begin to wait anew. */
export const TURN_WAIT_MS = 4_000;

/** Waiting of one user at the most. */
const MAX_WAITING = 100;

/**
 * Lets only so many pieces of work run at once, and no user take all: of those who wait, whoever has least running is next,
 * and the last places are for who has none, so that a few users together do not take all either.
 */
export class Turns {
  private readonly running = new Map<string, number>();
  private waiting: Waiting[] = [];
  private total = 0;

  constructor(private readonly limits: TurnLimits) {}

  /** @throws ApiError `rate_limited` where no turn comes in time */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    if (!this.mayStart(user) || this.waiting.some((other) => this.mayStart(other.user))) await this.wait(user);
    else this.start(user);
    try {
      return await work();
    } finally {
      this.leave(user);
    }
  }

  /** Whether more could run now without anybody waiting for it. */
  get hasRoom(): boolean {
    return this.waiting.length === 0 && this.total < this.limits.total - this.limits.reserved;
  }

  private wait(user: string): Promise<void> {
    if (this.waiting.filter((other) => other.user === user).length >= MAX_WAITING) throw tooManyOwn();
    return new Promise((resolve, reject) => {
      const entry: Waiting = { user, start: resolve };
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== entry);
        reject(this.of(user) < this.limits.perUser ? tooBusy() : tooManyOwn());
      }, this.limits.waitMs);
      entry.start = () => {
        clearTimeout(timer);
        this.start(user);
        resolve();
      };
      this.waiting.push(entry);
    });
  }

  private leave(user: string): void {
    this.total -= 1;
    const left = this.of(user) - 1;
    if (left === 0) this.running.delete(user);
    else this.running.set(user, left);
    const able = this.waiting.filter((other) => this.mayStart(other.user));
    const [first] = able.sort((one, other) => this.of(one.user) - this.of(other.user));
    if (!first) return;
    this.waiting = this.waiting.filter((other) => other !== first);
    first.start();
  }

  private start(user: string): void {
    this.total += 1;
    this.running.set(user, this.of(user) + 1);
  }

  private of(user: string): number {
    return this.running.get(user) ?? 0;
  }

  private mayStart(user: string): boolean {
    const own = this.of(user);
    const reserved = own === 0 ? 0 : this.limits.reserved;
    return this.total < this.limits.total - reserved && own < this.limits.perUser;
  }
}

const tooManyOwn = (): ApiError =>
  new ApiError('rate_limited', 'Too many of your requests to Live Tables are under way; wait for one to end', {
    retry_after: 5,
  });

const tooBusy = (): ApiError =>
  new ApiError('rate_limited', 'Too many requests to Live Tables are under way; try again in a moment', {
    retry_after: 5,
  });
