import type { updateColumn } from '@millrace/contracts/datasets/columns';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import type { FullDataset } from '../datasets/find-dataset.js';
import { systemColumns } from '../live/system-columns.js';

export type OwnColumn = FullDataset['columns'][number];

/** Finds a column of the table by its name, but no system column. @throws NotFoundError */
export function findColumn({ columns }: Pick<FullDataset, 'columns'>, name: string): OwnColumn {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new NotFoundError(`Column ${JSON.stringify(name)} of the Live Table`);
  return found;
}

/** The former type that is recorded if a column changes its type; `from` is null if the column has no values. */
export const formerType = (from: ColumnType | null, to: ColumnType): ColumnType | null => (to === 'text' ? from : null);

type Column = Result<typeof updateColumn>;

/** The columns of a Live Table in their order, with the system columns last. */
export function toColumns({ id, columns }: Pick<FullDataset, 'id' | 'columns'>): Column[] {
  const own = columns.map(({ name, type, keyPosition }) => ({
    name,
    type: type as ColumnType,
    primary_key: keyPosition !== null,
    system: false,
  }));
  const facts = { datasetId: id, hasKey: own.some((column) => column.primary_key), sources: [] };
  const system = systemColumns({ ...facts, userNames: new Set(own.map(({ name }) => name)) });
  const systemBodies = system.map(({ name, type }) => ({ name, type, primary_key: false, system: true }));
  return [...own, ...systemBodies].map((column, at) => ({ ...column, position: at + 1 }));
}
