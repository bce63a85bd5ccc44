import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { FullDataset } from '../datasets/find-dataset.js';

export type OwnColumn = FullDataset['columns'][number];

/** A column of the user's by its name. @throws NotFoundError */
export function findColumn({ columns }: Pick<FullDataset, 'columns'>, name: string): OwnColumn {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new NotFoundError('Column');
  return found;
}
