import { Injectable } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { KeyedMutex } from './keyed-mutex.js';
import type { Limit } from './limit.js';

/** An error that counts against the limits on sign-in, because the client may be guessing. */
export class WrongGuessError extends ApiError {}

/**
 * Counts failures and requests of the last minutes, and rejects further attempts if there were too many. The counts are
 * stored in Postgres: all copies of the service share them, and an outage of Redis does not allow guessing.
 */
@Injectable()
export class AttemptLimits {
  private readonly mutex = new KeyedMutex();

  constructor(private readonly database: Database) {}

  /**
   * Runs `work`, which checks something that an attacker may guess. Attempts under one limit run one after the other. If a
   * client sends a hundred guesses at once, only as many are checked as the limit allows, plus one for each further copy
   * of this service.
   * @param work throws `WrongGuessError` if the attempt counts as a failure; other errors neither count nor clear failures
   * @throws ApiError `rate_limited` if there are more than `maxAttempts` failures, this one included
   */
  async attempt<T>(limits: Limit[], work: () => Promise<T>): Promise<T> {
    return this.runExclusive(limits, async () => {
      await this.rejectBeyondLimit(limits);
      try {
        const result = await work();
        await this.clearFailures(limits);
        return result;
      } catch (error) {
        if (!(error instanceof WrongGuessError)) throw error;
        await this.recordAttempt(limits);
        await this.rejectBeyondLimit(limits);
        throw error;
      }
    });
  }

  /**
   * Counts a request that is limited whether it succeeds or fails.
   * @throws ApiError `rate_limited` if it would exceed `maxAttempts`; it is not counted then
   */
  async admit(limit: Limit): Promise<void> {
    await this.runExclusive([limit], async () => {
      await this.rejectBeyondLimit([{ ...limit, maxAttempts: limit.maxAttempts - 1 }]);
      await this.recordAttempt([limit]);
    });
  }

  /** Counts a request in a transaction that serializes itself. @returns false if it would exceed `maxAttempts` */
  async admitIn(tx: Transaction, { subject, maxAttempts, windowMs }: Limit): Promise<boolean> {
    const at = { gt: new Date(Date.now() - windowMs) };
    if ((await tx.countedAttempt.count({ where: { subject, at } })) >= maxAttempts) return false;
    await tx.countedAttempt.create({ data: { id: newId(), subject, at: new Date() } });
    return true;
  }

  /** Clears the counted failures in a transaction that proves who the user is. */
  async reset(tx: Transaction, { subject }: Limit): Promise<void> {
    await tx.countedAttempt.deleteMany({ where: { subject } });
  }

  private runExclusive<T>([first, ...rest]: Limit[], work: () => Promise<T>): Promise<T> {
    return first ? this.mutex.runExclusive(first.subject, () => this.runExclusive(rest, work)) : work();
  }

  private async recordAttempt(limits: Limit[]): Promise<void> {
    const data = limits.map(({ subject }) => ({ id: newId(), subject, at: new Date() }));
    await this.database.client.countedAttempt.createMany({ data });
  }

  /** Clears the failures that count against limits which a success resets. */
  private async clearFailures(limits: Limit[]): Promise<void> {
    const subjects = limits.filter(({ resetsOnSuccess }) => resetsOnSuccess).map(({ subject }) => subject);
    if (subjects.length === 0) return;
    await this.database.client.countedAttempt.deleteMany({ where: { subject: { in: subjects } } });
  }

  private async rejectBeyondLimit(limits: Limit[]): Promise<void> {
    const waits = await Promise.all(limits.map((limit) => this.waitFor(limit)));
    const seconds = Math.ceil(Math.max(...waits) / 1000);
    if (seconds <= 0) return;
    throw new ApiError('rate_limited', `Too many attempts. Try again in ${seconds} s.`, { retry_after: seconds });
  }

  /** Milliseconds until the count is within the limit; 0 if it is now. */
  private async waitFor({ subject, maxAttempts, windowMs }: Limit): Promise<number> {
    const now = Date.now();
    const beyond = await this.database.client.countedAttempt.findFirst({
      where: { subject, at: { gt: new Date(now - windowMs) } },
      orderBy: { at: 'desc' },
      skip: maxAttempts,
    });
    return beyond ? beyond.at.getTime() + windowMs - now : 0;
  }
}
