import { NotFound } from '@millrace/contracts/kit/api-error';
import type { FullDataset } from '../datasets/find-dataset.js';

export type OwnColumn = FullDataset['columns'][number];

/** A column of the user's by its name. @throws NotFound */
export function findColumn({ columns }: Pick<FullDataset, 'columns'>, name: string): OwnColumn {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new NotFound('Column');
  return found;
}
