import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';

/** Until the end of the transaction: who counts what a user has open, or runs, holds this, so that no two count at once. */
export async function lockUser(tx: Transaction, { user }: Caller): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`sandboxes of ${user}`}, 0))`;
}
