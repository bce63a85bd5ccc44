import type { Transaction } from '@millrace/persistence/database';

/** Postgres channel: a schedule became due earlier than the clocks expect. */
export const SCHEDULE_CHANNEL = 'schedule_changed';

/** Wakes the schedule clocks of all copies of the service at the commit. */
export async function notifyClocks(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${SCHEDULE_CHANNEL}, '')`;
}
