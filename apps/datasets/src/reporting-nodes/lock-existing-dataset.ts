import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { lockDataset } from '../datasets/lock-dataset.js';

/** Locks a Live Table as `lockDataset` does. @throws NotFoundError if it was deleted in the meantime */
export async function lockExistingDataset(tx: Transaction, id: string): Promise<void> {
  if (!(await lockDataset(tx, id))) throw new NotFoundError(`Live Table ${id}`);
}
