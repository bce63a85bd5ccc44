import { columnName, indexName, tableName } from '../live/names.js';
import { FIRST_SEEN, FIRST_SEEN_SQL } from '../live/system-columns.js';
import type { WishedIndex } from './wished-index.js';

const expressionOf = (column: number): string => (column === FIRST_SEEN ? `(${FIRST_SEEN_SQL})` : columnName(column));

/** Pages go by (column, `_id`). CONCURRENTLY, so that rows can be read and merged meanwhile. */
export function createIndex(table: number, { column, kind }: WishedIndex): string {
  const on = { range: 'btree', trigram: 'gin', contains: 'gin' }[kind];
  const what = {
    range: `${expressionOf(column)}, _id`,
    trigram: `${expressionOf(column)} gin_trgm_ops`,
    contains: `${expressionOf(column)} jsonb_path_ops`,
  }[kind];
  return `CREATE INDEX CONCURRENTLY ${indexName(table, column, kind)} ON ${tableName(table)} USING ${on} (${what})`;
}

export const dropIndex = (name: string): string => {
  if (!/^d_\d+_\d+_[a-z]+$/.test(name)) throw new Error(`${name} is no index of ours`);
  return `DROP INDEX CONCURRENTLY IF EXISTS live.${name}`;
};
