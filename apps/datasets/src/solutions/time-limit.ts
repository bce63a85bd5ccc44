import type { Transaction } from '@millrace/persistence/database';

/** A statement was ended for its time (Postgres, appendix A), and Prisma's word for a transaction that was. */
const OUT_OF_TIME = ['57014', 'P2028'];

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
    return error instanceof Error && 'code' in error && OUT_OF_TIME.includes(String(error.code));
  }
}
