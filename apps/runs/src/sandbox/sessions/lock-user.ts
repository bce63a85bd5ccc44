import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Transaction } from '@millrace/persistence/database';

/** Locks the sandboxes of a user until the transaction ends, so that no two transactions count them at once. */
export async function lockUser(tx: Transaction, { user }: Caller): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`sandboxes of ${user}`}, 0))`;
}
