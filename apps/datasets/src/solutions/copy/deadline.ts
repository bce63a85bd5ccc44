import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { QUERY_CANCELED, sqlStateOf } from '../../datasets/sql-states.js';

/** A time limit for several statements together. */
export class Deadline {
  private readonly end: number;

  constructor(readonly ms: number) {
    this.end = performance.now() + ms;
  }

  get remainingMs(): number {
    return Math.max(1, Math.floor(this.end - performance.now()));
  }

  /**
   * Limits the next statements of the transaction, including their waits for locks. Call it again before each long
   * statement. It does not take a snapshot.
   */
  async applyTo(tx: Pick<Transaction, '$executeRaw'>): Promise<void> {
    await tx.$executeRaw(Prisma.raw(`SET LOCAL statement_timeout = ${this.remainingMs}`));
  }

  isExceededBy(error: unknown): boolean {
    return sqlStateOf(error) === QUERY_CANCELED;
  }
}
