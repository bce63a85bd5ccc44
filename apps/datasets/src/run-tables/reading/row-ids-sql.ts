import type { LoadedPart } from '../sides/run-side.js';
import type { ComparedTable } from './compared-table.js';

type Table = Pick<ComparedTable, 'dataset'>;

/** SQL of the ids of all rows that the parts have, as a multirange. */
export const rowIdsSql = (table: Table, parts: readonly LoadedPart[]): string =>
  parts.length === 0 ? "'{}'::int8multirange" : `(${parts.map((part) => recordedIdsSql(table, part)).join(' + ')})`;

/** SQL of the ids of the rows whose values come from the part at a position. */
export const ownRowIdsSql = (table: Table, parts: readonly LoadedPart[], at: number): string =>
  `(${rowIdsSql(table, parts.slice(at, at + 1))} - ${rowIdsSql(table, parts.slice(0, at))})`;

const recordedIdsSql = ({ dataset }: Table, { generation }: LoadedPart): string =>
  `(SELECT row_ids FROM datasets.generation WHERE dataset_id = '${dataset}' AND number = ${generation})`;

/** FROM items that are the existing rows `t` with ids of a multirange, each found by the index of ids. */
export const existingRowsSql = ({ table }: Pick<ComparedTable, 'table'>, ids: string): string =>
  `unnest(${ids}) r CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE _id >= lower(r) AND _id < upper(r)) t`;
