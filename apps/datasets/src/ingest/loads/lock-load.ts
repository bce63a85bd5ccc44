import type { LoadStatus } from '@millrace/contracts/datasets/loads';
import type { Transaction } from '@millrace/persistence/database';

/**
 * Locks a load until the transaction ends.
 * @returns whether the load still has this status in the given attempt
 */
export async function lockLoad(
  tx: Transaction,
  load: { id: bigint; attempt: number },
  status: LoadStatus,
): Promise<boolean> {
  const locked = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM datasets.load WHERE id = ${load.id} AND attempt = ${load.attempt} AND status = ${status} FOR UPDATE`;
  return locked.length > 0;
}
