import type { LoadStatus } from '@millrace/contracts/datasets/loads';
import type { Transaction } from '@millrace/persistence/database';

/** Holds a load until the transaction ends. @returns whether it is still at that, in the attempt that is meant */
export async function lockLoad(
  tx: Transaction,
  load: { id: bigint; attempt: number },
  status: LoadStatus,
): Promise<boolean> {
  const held = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM datasets.load WHERE id = ${load.id} AND attempt = ${load.attempt} AND status = ${status} FOR UPDATE`;
  return held.length > 0;
}
