import type { Transaction } from '@millrace/persistence/database';

/** Where it is told that a schedule has become due earlier than was known. */
export const CHANNEL = 'schedule_changed';

/** Wakes the clocks of all copies at the commit. */
export async function tellClocks(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${CHANNEL}, '')`;
}
