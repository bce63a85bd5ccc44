import type { Transaction } from '@millrace/persistence/database';

/** Where it is told that a schedule has become due earlier than was known. */
export const SCHEDULE_CHANNEL = 'schedule_changed';

/** Wakes the clocks of all copies at the commit. */
export async function notifyClocks(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${SCHEDULE_CHANNEL}, '')`;
}
