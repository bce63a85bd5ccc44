import type { Transaction } from '@millrace/persistence/database';
import { CANCELLED } from '../datasets/postgres-error.js';

/** Prisma's word for a transaction that was ended for its time. */
const EXPIRED = 'P2028';

/** How long something may take in all, its statements one after another. */
export class TimeLimit {
  private readonly end: number;

  constructor(readonly ms: number) {
    this.end = performance.now() + ms;
  }

  get leftMs(): number {
    return Math.max(1, Math.floor(this.end - performance.now()));
  }

  /** Statements of the transaction end by then, what they wait for included; ask again before each that may be long. */
  async bound(tx: Pick<Transaction, '$executeRaw'>): Promise<void> {
    await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(this.leftMs)}, true)`;
  }

  isOver(error: unknown): boolean {
    return error instanceof Error && 'code' in error && [CANCELLED, EXPIRED].includes(String(error.code));
  }
}
