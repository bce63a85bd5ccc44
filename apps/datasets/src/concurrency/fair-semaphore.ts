import { ApiError } from '@millrace/contracts/kit/api-error';

export interface SemaphoreLimits {
  /** Running at once. */
  total: number;
  /** Of these, of one user. */
  perUser: number;
  /** Of all, kept for users of whom none runs. */
  reserved: number;
  /** How long one waits for a turn, in milliseconds. */
  acquireTimeoutMs: number;
}

interface Waiter {
  user: string;
  acquire: () => void;
}

/** For `waitMs`, in milliseconds: less than after which the gateway asks again, which would begin to wait anew. */
export const ACQUIRE_TIMEOUT_MS = 4_000;

/** Waiting of one user at the most. */
const MAX_WAITERS_PER_USER = 100;

/**
 * Lets only so many pieces of work run at once, and no user take all: of those who wait, whoever has least running is next,
 * and the last places are for who has none, so that a few users together do not take all either.
 */
export class FairSemaphore {
  private readonly permitsByUser = new Map<string, number>();
  private waiters: Waiter[] = [];
  private total = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  /** @throws ApiError `rate_limited` where no turn comes in time */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    if (!this.canAcquire(user) || this.waiters.some((other) => this.canAcquire(other.user))) await this.wait(user);
    else this.start(user);
    try {
      return await work();
    } finally {
      this.release(user);
    }
  }

  /** Whether more could run now without anybody waiting for it. */
  get hasFreePermit(): boolean {
    return this.waiters.length === 0 && this.total < this.limits.total - this.limits.reserved;
  }

  private wait(user: string): Promise<void> {
    if (this.waiters.filter((other) => other.user === user).length >= MAX_WAITERS_PER_USER) throw tooManyOwn();
    return new Promise((resolve, reject) => {
      const entry: Waiter = { user, acquire: resolve };
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== entry);
        reject(this.permitsOf(user) < this.limits.perUser ? tooBusy() : tooManyOwn());
      }, this.limits.acquireTimeoutMs);
      entry.acquire = () => {
        clearTimeout(timer);
        this.start(user);
        resolve();
      };
      this.waiters.push(entry);
    });
  }

  private release(user: string): void {
    this.total -= 1;
    const left = this.permitsOf(user) - 1;
    if (left === 0) this.permitsByUser.delete(user);
    else this.permitsByUser.set(user, left);
    const able = this.waiters.filter((other) => this.canAcquire(other.user));
    const [first] = able.sort((one, other) => this.permitsOf(one.user) - this.permitsOf(other.user));
    if (!first) return;
    this.waiters = this.waiters.filter((other) => other !== first);
    first.acquire();
  }

  private start(user: string): void {
    this.total += 1;
    this.permitsByUser.set(user, this.permitsOf(user) + 1);
  }

  private permitsOf(user: string): number {
    return this.permitsByUser.get(user) ?? 0;
  }

  private canAcquire(user: string): boolean {
    const own = this.permitsOf(user);
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
