/** Physical names: numbers alone, so that nothing of a user's can be in them. `number` is a dataset's own. */
export const tableName = (number: number): string => `live.d_${checkNumber(number)}`;
export const changesName = (number: number): string => `live.d_${checkNumber(number)}_changes`;
export const columnName = (number: number): string => `c${checkNumber(number)}`;
/** Unique index on the columns of the primary key. */
export const keyIndexName = (number: number): string => `d_${checkNumber(number)}_key`;
export const indexName = (number: number, { column, kind, by }: IndexId): string =>
  `d_${checkNumber(number)}_${checkNumber(column)}_${kind}${by === NO_COLUMN ? '' : `_${checkNumber(by)}`}`;
/** What is read of a part of a load lies here until it is merged. */
export const stagingName = (part: bigint): string => `live.s_${part}`;

export const INDEX_KINDS = ['range', 'ordered', 'trigram', 'contains'] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];
/** Which index of a table. */
export interface IndexId {
  column: number;
  kind: IndexKind;
  /** Of an ordered one: the number of the column by which rows of one value are ordered. */
  by: number;
}
/** `by` of the other kinds. */
export const NO_COLUMN = -1;
/** Those in the order of their columns; they take no long values. */
export const BTREE_KINDS: readonly IndexKind[] = ['range', 'ordered'];
/** `indexName` in SQL, of a record `i` of a dataset `d`. */
export const INDEX_NAME_SQL = `concat_ws('_', 'd', d.number, i."column", i.kind, nullif(i.by, ${NO_COLUMN}))`;
/** The names that `indexName` gives, as a regular expression of JavaScript and of Postgres. */
export const indexNamePattern = (kinds: readonly IndexKind[] = INDEX_KINDS): string =>
  `^d_\\d+_\\d+_(${kinds.join('|')})(_\\d+)?$`;

function checkNumber(number: number): number {
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${number} is no number of a table or column`);
  return number;
}

/** An id as it may stand in a statement. */
export function checkUuid(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error('not an id of ours');
  return id;
}
