/** Physical names contain only numbers, so no user input can be in them. `number` is the dataset's number. */
export const tableName = (number: number): string => `live.d_${checkNumber(number)}`;
export const changesName = (number: number): string => `live.d_${checkNumber(number)}_changes`;
export const columnName = (number: number): string => `c${checkNumber(number)}`;
/** Unique index on the columns of the primary key. */
export const keyIndexName = (number: number): string => `d_${checkNumber(number)}_key`;
export const indexName = (number: number, { column, kind, by }: IndexId): string =>
  `d_${checkNumber(number)}_${checkNumber(column)}_${kind}${by === NO_COLUMN ? '' : `_${checkNumber(by)}`}`;
/** Staging table: has the rows of one part of a load until the merge. */
export const stagingName = (part: bigint): string => `live.s_${part}`;

export const INDEX_KINDS = ['range', 'ordered', 'trigram', 'contains'] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];
/** Identifies an index within a table. */
export interface IndexId {
  column: number;
  kind: IndexKind;
  /** For the kind `ordered`: the number of the column that orders the rows of one value. */
  by: number;
}
/** `by` for the other kinds. */
export const NO_COLUMN = -1;
/** B-tree indexes. They cannot contain long values. */
export const BTREE_KINDS: readonly IndexKind[] = ['range', 'ordered'];
/** `indexName` in SQL, for a `dataset_index` row `i` of a dataset `d`. */
export const INDEX_NAME_SQL = `concat_ws('_', 'd', d.number, i."column", i.kind, nullif(i.by, ${NO_COLUMN}))`;
/** Regular expression for the names that `indexName` returns, for JavaScript and for Postgres. */
export const indexNamePattern = (kinds: readonly IndexKind[] = INDEX_KINDS): string =>
  `^d_\\d+_\\d+_(${kinds.join('|')})(_\\d+)?$`;

function checkNumber(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`The number of a table or column must be a non-negative integer (got ${number})`);
  return number;
}

/** Makes sure that an id can be part of a statement. */
export function checkUuid(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error('The id is not a UUID in lower case');
  return id;
}
