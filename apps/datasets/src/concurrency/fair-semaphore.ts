import { ApiError } from '@millrace/contracts/kit/api-error';

export interface SemaphoreLimits {
  /** Permits of all users together. */
  permits: number;
  /** Permits that one user may hold at the same time. */
  permitsPerUser: number;
  /** How many of `permits` only users without a permit can acquire. */
  reservedPermits: number;
  /** How long `run` waits for a permit. */
  acquireTimeoutMs: number;
}

interface Waiter {
  user: string;
  /** Acquires the permit and resumes the waiting call. */
  grant: () => void;
}

/**
 * For `acquireTimeoutMs`. It is shorter than the time after which the gateway repeats a request, because a repeated
 * request would begin to wait from zero.
 */
export const ACQUIRE_TIMEOUT_MS = 4_000;

const MAX_WAITERS_PER_USER = 100;

/**
 * Limits how many pieces of work run at the same time, in total and per user. A released permit goes to the waiting user
 * who holds the fewest. Reserved permits go only to users who hold none, so a few users together cannot take all.
 */
export class FairSemaphore {
  private readonly permitsByUser = new Map<string, number>();
  private waiters: Waiter[] = [];
  private acquired = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  /** Runs `work` under a permit. @throws ApiError `rate_limited` if no permit is free in time */
  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    if (!this.canAcquire(user) || this.waiters.some((other) => this.canAcquire(other.user))) await this.wait(user);
    else this.acquire(user);
    try {
      return await work();
    } finally {
      this.release(user);
    }
  }

  /** Whether one more piece of work could start now without making anyone wait. */
  get hasFreePermit(): boolean {
    return this.waiters.length === 0 && this.acquired < this.limits.permits - this.limits.reservedPermits;
  }

  private wait(user: string): Promise<void> {
    if (this.waiters.filter((other) => other.user === user).length >= MAX_WAITERS_PER_USER) throw userLimitError();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { user, grant: resolve };
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        reject(this.permitsOf(user) < this.limits.permitsPerUser ? totalLimitError() : userLimitError());
      }, this.limits.acquireTimeoutMs);
      waiter.grant = () => {
        clearTimeout(timer);
        this.acquire(user);
        resolve();
      };
      this.waiters.push(waiter);
    });
  }

  private release(user: string): void {
    this.acquired -= 1;
    const remaining = this.permitsOf(user) - 1;
    if (remaining === 0) this.permitsByUser.delete(user);
    else this.permitsByUser.set(user, remaining);
    const eligible = this.waiters.filter((waiter) => this.canAcquire(waiter.user));
    const [next] = eligible.sort((one, other) => this.permitsOf(one.user) - this.permitsOf(other.user));
    if (!next) return;
    this.waiters = this.waiters.filter((other) => other !== next);
    next.grant();
  }

  private acquire(user: string): void {
    this.acquired += 1;
    this.permitsByUser.set(user, this.permitsOf(user) + 1);
  }

  private permitsOf(user: string): number {
    return this.permitsByUser.get(user) ?? 0;
  }

  private canAcquire(user: string): boolean {
    const own = this.permitsOf(user);
    const reserved = own === 0 ? 0 : this.limits.reservedPermits;
    return this.acquired < this.limits.permits - reserved && own < this.limits.permitsPerUser;
  }
}

const userLimitError = (): ApiError =>
  new ApiError('rate_limited', 'Too many of your requests to Live Tables are running. Wait until one has finished.', {
    retry_after: 5,
  });

const totalLimitError = (): ApiError =>
  new ApiError('rate_limited', 'Too many requests to Live Tables are running. Try again in a few seconds.', {
    retry_after: 5,
  });
