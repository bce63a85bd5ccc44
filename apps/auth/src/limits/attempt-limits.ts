import { Injectable } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { Turns } from './keyed-mutex.js';
import type { Limit } from './limit.js';
import { WrongGuess } from './wrong-guess-error.js';

/**
 * Counts failures and requests of the last minutes, and ends the trying where there were too many. The counts are in
 * Postgres: all copies of the service share them, and an outage of Redis does not open the door to guessing.
 */
@Injectable()
export class TryLimits {
  private readonly turns = new Turns();

  constructor(private readonly database: Database) {}

  /**
   * Lets `work` look at something that may be guessed. Tries under one limit are looked at one after the other: of a
   * hundred guesses sent at once no more are looked at than the limit allows (and one for each further copy of this
   * service).
   * @param work throws `WrongGuess` where the try counts as a failure; other errors neither count nor make forgotten
   * @throws ApiError `rate_limited` where more failures than `most` stand, this one included
   */
  async attempt<T>(limits: Limit[], work: () => Promise<T>): Promise<T> {
    return this.inTurn(limits, async () => {
      await this.refuseBeyond(limits);
      try {
        const answer = await work();
        await this.forget(limits);
        return answer;
      } catch (error) {
        if (!(error instanceof WrongGuess)) throw error;
        await this.note(limits);
        await this.refuseBeyond(limits);
        throw error;
      }
    });
  }

  /**
   * Counts a request that costs something whether it is right or not.
   * @throws ApiError `rate_limited` where it would be more than `most`; it is not counted then
   */
  async admit(limit: Limit): Promise<void> {
    await this.inTurn([limit], async () => {
      await this.refuseBeyond([{ ...limit, most: limit.most - 1 }]);
      await this.note([limit]);
    });
  }

  /** Counts in a transaction that lets in one at a time by itself. @returns false where it would be more than `most` */
  async admitIn(tx: Transaction, { subject, most, windowMs }: Limit): Promise<boolean> {
    const at = { gt: new Date(Date.now() - windowMs) };
    if ((await tx.countedTry.count({ where: { subject, at } })) >= most) return false;
    await tx.countedTry.create({ data: { id: newId(), subject, at: new Date() } });
    return true;
  }

  /** Makes forgotten what was counted, with a transaction that shows that nobody is guessing. */
  async forgive(tx: Transaction, { subject }: Limit): Promise<void> {
    await tx.countedTry.deleteMany({ where: { subject } });
  }

  private inTurn<T>([first, ...rest]: Limit[], work: () => Promise<T>): Promise<T> {
    return first ? this.turns.take(first.subject, () => this.inTurn(rest, work)) : work();
  }

  private async note(limits: Limit[]): Promise<void> {
    const data = limits.map(({ subject }) => ({ id: newId(), subject, at: new Date() }));
    await this.database.client.countedTry.createMany({ data });
  }

  /** Who got in is not the one who guesses. */
  private async forget(limits: Limit[]): Promise<void> {
    const subjects = limits.filter(({ lasts }) => !lasts).map(({ subject }) => subject);
    if (subjects.length === 0) return;
    await this.database.client.countedTry.deleteMany({ where: { subject: { in: subjects } } });
  }

  private async refuseBeyond(limits: Limit[]): Promise<void> {
    const waits = await Promise.all(limits.map((limit) => this.waitFor(limit)));
    const seconds = Math.ceil(Math.max(...waits) / 1000);
    if (seconds <= 0) return;
    throw new ApiError('rate_limited', 'Too many tries; try again later', { retry_after: seconds });
  }

  /** Milliseconds until no more than the limit stand; 0 where that is so now. */
  private async waitFor({ subject, most, windowMs }: Limit): Promise<number> {
    const now = Date.now();
    const beyond = await this.database.client.countedTry.findFirst({
      where: { subject, at: { gt: new Date(now - windowMs) } },
      orderBy: { at: 'desc' },
      skip: most,
    });
    return beyond ? beyond.at.getTime() + windowMs - now : 0;
  }
}
