import type { Transaction } from '@millrace/persistence/database';

/** Serializes transactions that count the exports of a vault, until this one ends. */
export async function lockExports(tx: Transaction, vault: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`exports of ${vault}`}, 0))::text`;
}
