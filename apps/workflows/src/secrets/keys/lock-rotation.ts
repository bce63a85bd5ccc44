import type { Transaction } from '@millrace/persistence/database';

/** An arbitrary number that no other advisory lock of the database uses. */
const ROTATION_LOCK_ID = 7_130_251;

/**
 * Held until the transaction ends: `exclusive` to change the key file, `shared` to create a data key. This prevents
 * wrapping a data key with a master key that is being removed.
 */
export async function lockRotation(tx: Transaction, mode: 'shared' | 'exclusive'): Promise<void> {
  if (mode === 'shared') await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${ROTATION_LOCK_ID}::bigint)`;
  else await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ROTATION_LOCK_ID}::bigint)`;
}
