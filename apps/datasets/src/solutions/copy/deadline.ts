import type { Transaction } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { QUERY_CANCELED, sqlStateOf } from '../../datasets/sql-states.js';

/** How long something may take in all, its statements one after another. */
export class Deadline {
  private readonly end: number;

  constructor(readonly ms: number) {
    this.end = performance.now() + ms;
  }

  get remainingMs(): number {
    return Math.max(1, Math.floor(this.end - performance.now()));
  }

  /**
   * Statements of the transaction end by then, what they wait for included; ask again before each that may be long. It
   * takes no snapshot.
   */
  async applyTo(tx: Pick<Transaction, '$executeRaw'>): Promise<void> {
    await tx.$executeRaw(Prisma.raw(`SET LOCAL statement_timeout = ${this.remainingMs}`));
  }

  isExceededBy(error: unknown): boolean {
    return sqlStateOf(error) === QUERY_CANCELED;
  }
}
