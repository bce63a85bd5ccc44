import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { POSTGRES_TYPE } from '../../live/postgres-type.js';

const AS_TEXT: Partial<Record<ColumnType, (sql: string) => string>> = {
  inet: (sql) => `abbrev(${sql})`,
  timestamp: (sql) => `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
};

const asText = (sql: string, type: ColumnType): string => (AS_TEXT[type] ?? ((one) => `(${one})::text`))(sql);

/** A value of one type as one of a wider type; `sql` is trusted. Addresses and moments are written as JSON has them. */
export function castColumn(sql: string, from: ColumnType, to: ColumnType): string {
  if (from === to) return sql;
  if (to === 'text') return `${asText(sql, from)} COLLATE "C"`;
  if (to === 'json') return `to_jsonb(${from in AS_TEXT ? asText(sql, from) : sql})`;
  return `(${sql})::${POSTGRES_TYPE[to]}`;
}
