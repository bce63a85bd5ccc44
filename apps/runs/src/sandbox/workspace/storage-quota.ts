import { SANDBOX_SESSION_LIMITS } from '@millrace/contracts/runs/sandbox';
import type { Transaction } from '@millrace/persistence/database';

interface Owner {
  vaultId: string;
  userId: string;
}

/**
 * Counts bytes that a user stores today (UTC). The object store keeps the contents of deleted and refused files, so all of them
 * count. Identical contents count again, because only the store could recognize them.
 */
export async function recordStoredBytes(tx: Transaction, { vaultId, userId }: Owner, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await tx.$executeRaw`
    INSERT INTO runs.sandbox_intake AS i (vault_id, user_id, day, bytes)
    VALUES (${vaultId}::uuid, ${userId}::uuid, (now() AT TIME ZONE 'UTC')::date, ${bytes}::bigint)
    ON CONFLICT (vault_id, user_id) DO UPDATE SET day = excluded.day,
      bytes = excluded.bytes + CASE WHEN i.day = excluded.day THEN i.bytes ELSE 0 END`;
}

/** Number of bytes that a user may still store today (UTC). */
export async function remainingStorage(
  tx: Pick<Transaction, '$queryRaw'>,
  { vaultId, userId }: Owner,
): Promise<number> {
  const [today] = await tx.$queryRaw<{ bytes: bigint }[]>`
    SELECT bytes FROM runs.sandbox_intake WHERE vault_id = ${vaultId}::uuid AND user_id = ${userId}::uuid
      AND day = (now() AT TIME ZONE 'UTC')::date`;
  return Math.max(0, SANDBOX_SESSION_LIMITS.dayBytes - Number(today?.bytes ?? 0n));
}
