import { columnName, indexName, indexNamePattern, tableName, type IndexId } from '../live/names.js';
import { FIRST_SEEN, FIRST_SEEN_SQL } from '../live/system-columns.js';

const expressionOf = (column: number): string => (column === FIRST_SEEN ? `(${FIRST_SEEN_SQL})` : columnName(column));

/** Pages are ordered by (column, `_id`). CONCURRENTLY, so that rows can be read and merged during the build. */
export function createIndex(table: number, index: IndexId): string {
  const first = expressionOf(index.column);
  const method = {
    range: () => `btree (${first}, _id)`,
    ordered: () => `btree (${first}, ${expressionOf(index.by)}, _id)`,
    trigram: () => `gin (${first} gin_trgm_ops)`,
    contains: () => `gin (${first} jsonb_path_ops)`,
  }[index.kind]();
  return `CREATE INDEX CONCURRENTLY ${indexName(table, index)} ON ${tableName(table)} USING ${method}`;
}

const NAMES = new RegExp(indexNamePattern());

export const dropIndex = (name: string): string => {
  if (!NAMES.test(name)) throw new Error(`${name} is not an index of a Live Table`);
  return `DROP INDEX CONCURRENTLY IF EXISTS live.${name}`;
};
