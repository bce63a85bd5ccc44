import type { getDataset } from '@millrace/contracts/datasets/datasets';
import type { Result } from '@millrace/contracts/kit/operation';
import { toColumns } from '../columns/dataset-columns.js';
import type { FullDataset } from './find-dataset.js';

type Dataset = Result<typeof getDataset>;
type Listed = Omit<FullDataset, 'solution' | 'sources' | 'columns'> & {
  columns: Pick<FullDataset['columns'][number], 'name' | 'keyPosition'>[];
};

/** A Live Table in a list, without its columns. */
export function toListedDataset(row: Listed): Dataset {
  return {
    id: row.id,
    name: row.name,
    ...(row.description && { description: row.description }),
    solution: row.solutionId,
    space: row.spaceId,
    vault: row.vaultId,
    primary_key: selectKeyColumns(row.columns).map(({ name }) => name),
    row_count: Number(row.rows),
    rejected_count: Number(row.rejected),
    author: row.author,
    created_date: row.createdAt.toISOString(),
    modified_date: row.modifiedAt.toISOString(),
    ...(row.loadedAt && { loaded_date: row.loadedAt.toISOString() }),
  };
}

export const toDataset = (row: FullDataset): Dataset => ({ ...toListedDataset(row), columns: toColumns(row) });

/** The columns of the primary key, in the order of the key. */
export function selectKeyColumns<C extends { keyPosition: number | null }>(columns: readonly C[]): C[] {
  return columns
    .filter(({ keyPosition }) => keyPosition !== null)
    .sort((one, other) => (one.keyPosition ?? 0) - (other.keyPosition ?? 0));
}
