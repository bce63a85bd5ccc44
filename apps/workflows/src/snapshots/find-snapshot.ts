import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { withOrigin, type PlacedSnapshot } from './to-snapshot.js';

/** Finds a snapshot by its id within a workflow or a vault to which the caller has access. @throws NotFoundError */
export async function findSnapshot(
  client: Pick<Transaction, 'snapshot'>,
  id: string,
  within: { workflowId: string } | { vaultId: string },
): Promise<PlacedSnapshot> {
  const where = { id, ...within };
  const found = isId(id) ? await client.snapshot.findFirst({ where, include: withOrigin }) : null;
  if (!found) throw new NotFoundError(`Snapshot ${id}`);
  return found;
}
