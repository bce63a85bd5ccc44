import { NotFound } from '@millrace/contracts/kit/api-error';
import type { ShapedDataset } from '../datasets/find-dataset.js';

export type OwnColumn = ShapedDataset['columns'][number];

/** A column of the user's by its name. @throws NotFound */
export function findColumn({ columns }: Pick<ShapedDataset, 'columns'>, name: string): OwnColumn {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new NotFound('Column');
  return found;
}
