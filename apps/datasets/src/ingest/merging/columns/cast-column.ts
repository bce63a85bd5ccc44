import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { POSTGRES_TYPE, toTextSql } from '../../../live/cast-sql.js';

/** Types that JSON has no value for. */
const TYPES_WITHOUT_JSON: readonly ColumnType[] = ['inet', 'timestamp'];

/**
 * SQL that converts a value to a wider type. Addresses and timestamps become text in the form that rows show.
 * @param sql trusted SQL of the value
 */
export function castColumnSql(sql: string, from: ColumnType, to: ColumnType): string {
  if (from === to) return sql;
  if (to === 'text') return `${toTextSql(sql, from)} COLLATE "C"`;
  if (to === 'json') return `to_jsonb(${TYPES_WITHOUT_JSON.includes(from) ? toTextSql(sql, from) : sql})`;
  return `(${sql})::${POSTGRES_TYPE[to]}`;
}
