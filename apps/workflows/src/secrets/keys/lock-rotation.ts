import type { Transaction } from '@millrace/persistence/database';

/** Any number that nothing else in the database locks. */
const ROTATION_LOCK_ID = 7_130_251;

/**
 * Held until the transaction ends: `exclusive` by whoever changes the key file, `shared` by whoever makes a data key. So no
 * data key is wrapped with a master key that is being removed.
 */
export async function lockRotation(tx: Transaction, how: 'shared' | 'exclusive'): Promise<void> {
  if (how === 'shared') await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${ROTATION_LOCK_ID}::bigint)`;
  else await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ROTATION_LOCK_ID}::bigint)`;
}
