import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { castSql } from '../../../columns/cast-sql.js';
import { POSTGRES_TYPE } from '../../../live/postgres-type.js';
import { toTextSql } from '../../../live/to-text-sql.js';

/** What the types of a column take, as `classifyCell` has it, and Postgres then reads: no `now`, no `010.0.0.1`, no `NaN`. */
const TEXT_FORMS: Partial<Record<ColumnType, (text: string) => string>> = {
  timestamp: (text) =>
    String.raw`${text} ~ '^\d{4}-\d\d-\d\d[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$'`,
  inet: (text) =>
    String.raw`${text} ~ '^(\d{1,3}(\.\d{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)(/\d{1,3})?$' AND ${text} !~ '((^|:)0\d+\.|\.0\d|/0\d)'`,
  uuid: (text) => String.raw`${text} ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'`,
  double: (text) => String.raw`${text} ~ '^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$' AND length(${text}) <= 400`,
};

/** Only a number that a double holds with all its digits was one before, and only a moment of the years 1 to 9999. */
const EXACT_CONDITIONS: Partial<Record<ColumnType, (text: string) => string>> = {
  double: (text) => `${text}::double precision::text::numeric = ${text}::numeric`,
  timestamp: (text) =>
    `${text}::timestamptz >= '0001-01-01T00:00:00Z'::timestamptz AND ${text}::timestamptz < '10000-01-01T00:00:00Z'::timestamptz`,
};

/**
 * A text of a key's column that had another type before: what could be a value of that type is written as those were when
 * the column became text, so that a key is one key before and after.
 * @param sql trusted SQL of the text
 * @param byHand somebody said the type, by which more texts became values of it than files bring
 */
export function keyFormSql(sql: string, former: ColumnType, byHand: boolean): string {
  const text = `(${sql})`;
  if (byHand) return declaredFormSql(text, former);
  const written = TEXT_FORMS[former]?.(text);
  if (written === undefined) return sql;
  const type = POSTGRES_TYPE[former];
  const exact = EXACT_CONDITIONS[former]?.(text) ?? 'true';
  const value = `CASE WHEN ${exact} THEN ${toTextSql(`${text}::${type}`, former)} ELSE ${text} END`;
  return `CASE WHEN ${written} THEN CASE WHEN pg_input_is_valid(${text}, '${type}') THEN ${value} ELSE ${text} END ELSE ${text} END`;
}

function declaredFormSql(text: string, former: ColumnType): string {
  const { fits, using } = castSql(text, 'text', former);
  const whole = former === 'timestamp' ? `${text} !~ '\\.\\d{7}'` : (EXACT_CONDITIONS[former]?.(text) ?? 'true');
  return `CASE WHEN ${fits} THEN CASE WHEN ${whole} THEN ${toTextSql(using, former)} ELSE ${text} END ELSE ${text} END`;
}
