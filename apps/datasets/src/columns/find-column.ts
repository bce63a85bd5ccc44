import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { FullDataset } from '../datasets/find-dataset.js';

export type OwnColumn = FullDataset['columns'][number];

/** Finds a column of the table by its name, but no system column. @throws NotFoundError */
export function findColumn({ columns }: Pick<FullDataset, 'columns'>, name: string): OwnColumn {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new NotFoundError(`Column ${JSON.stringify(name)} of the Live Table`);
  return found;
}
