import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';
import { lockDataset } from '../datasets/lock-dataset.js';

/** As `lockDataset`. @throws NotFoundError where the table was deleted meanwhile */
export async function lockExistingDataset(tx: Transaction, id: string): Promise<void> {
  if (!(await lockDataset(tx, id))) throw new NotFoundError('Live Table');
}
