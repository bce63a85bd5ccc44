import type { updateColumn } from '@millrace/contracts/datasets/columns';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import type { Result } from '@millrace/contracts/kit/operation';
import type { FullDataset } from '../datasets/find-dataset.js';
import { systemColumns } from '../live/system-columns.js';

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
