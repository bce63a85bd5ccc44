import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { castSql, POSTGRES_TYPE, toTextSql } from '../../../live/cast-sql.js';

/**
 * Texts that a load accepts as values of a type, the same as `classifyCell`, and that Postgres reads: not `now`, not
 * `010.0.0.1`, not `NaN`.
 */
const TEXT_FORMS: Partial<Record<ColumnType, (text: string) => string>> = {
  timestamp: (text) =>
    String.raw`${text} ~ '^\d{4}-\d\d-\d\d[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$'`,
  inet: (text) =>
    String.raw`${text} ~ '^(\d{1,3}(\.\d{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)(/\d{1,3})?$' AND ${text} !~ '((^|:)0\d+\.|\.0\d|/0\d)'`,
  uuid: (text) => String.raw`${text} ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'`,
  double: (text) => String.raw`${text} ~ '^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$' AND length(${text}) <= 400`,
};

/** A load accepts only numbers that a double represents with all digits, and only timestamps of the years 1 to 9999. */
const EXACT_CONDITIONS: Partial<Record<ColumnType, (text: string) => string>> = {
  double: (text) => `${text}::double precision::text::numeric = ${text}::numeric`,
  timestamp: (text) =>
    `${text}::timestamptz >= '0001-01-01T00:00:00Z'::timestamptz AND ${text}::timestamptz < '10000-01-01T00:00:00Z'::timestamptz`,
};

/**
 * SQL that normalizes a text in a key column which had another type before. A text that is a value of the former type gets
 * the form that such values got when the column became text, so that a key stays the same key.
 * @param sql trusted SQL of the text
 * @param isDeclared a user set the type, so that more texts were accepted as its values than in files
 */
export function keyFormSql(sql: string, formerType: ColumnType, isDeclared: boolean): string {
  const text = `(${sql})`;
  if (isDeclared) return declaredFormSql(text, formerType);
  const hasForm = TEXT_FORMS[formerType]?.(text);
  if (hasForm === undefined) return sql;
  const type = POSTGRES_TYPE[formerType];
  const isExact = EXACT_CONDITIONS[formerType]?.(text) ?? 'true';
  const value = `CASE WHEN ${isExact} THEN ${toTextSql(`${text}::${type}`, formerType)} ELSE ${text} END`;
  return `CASE WHEN ${hasForm} THEN CASE WHEN pg_input_is_valid(${text}, '${type}') THEN ${value} ELSE ${text} END ELSE ${text} END`;
}

function declaredFormSql(text: string, formerType: ColumnType): string {
  const { fits, using } = castSql(text, 'text', formerType);
  const isExact =
    formerType === 'timestamp' ? `${text} !~ '\\.\\d{7}'` : (EXACT_CONDITIONS[formerType]?.(text) ?? 'true');
  return `CASE WHEN ${fits} THEN CASE WHEN ${isExact} THEN ${toTextSql(using, formerType)} ELSE ${text} END ELSE ${text} END`;
}
