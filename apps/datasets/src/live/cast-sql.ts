import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { Binder } from '@millrace/query/compile/binder';
import { CASTS, textSql } from '@millrace/query/compile/field-sql';

/**
 * Postgres types of columns. Text is compared by code point ("C"), which is the same on every machine and which an index
 * for LIKE requires.
 */
export const POSTGRES_TYPE: Readonly<Record<ColumnType, string>> = { ...CASTS, text: 'text COLLATE "C"' };

/** SQL of a value's text; `sql` is trusted. Zero is never `-0`, because the two are equal as numbers. */
export function toTextSql(sql: string, type: ColumnType): string {
  if (type === 'double') return `((${sql}) + 0)::text`;
  const binder = new Binder();
  const text = textSql({ name: '', column: { name: '', type, sql } }, binder);
  if (binder.values.length > 0) throw new Error('The text SQL of a column must not have parameters');
  return text;
}

interface Cast {
  /** SQL condition: whether a value that is not missing can be converted. */
  fits: string;
  /** SQL of the converted value. */
  using: string;
}

/** Accepted texts of a type. Postgres also accepts others, such as `yesterday`, `NaN` and `0x1F`, which users do not mean. */
const FORMS: Partial<Record<ColumnType, string>> = {
  bigint: String.raw`^\s*[-+]?\d+\s*$`,
  double: String.raw`^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$`,
  timestamp: String.raw`^\s*\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?\s*([Zz]|[-+]\d\d(:?\d\d)?)?)?\s*$`,
};

/**
 * Converts the values of a column to another type: numbers as numbers, all other values through their text form. A date
 * without a zone is in UTC, and text may be JSON.
 * @param sql trusted SQL of the column, usable as an operand without parentheses
 */
export function castSql(sql: string, from: ColumnType, to: ColumnType): Cast {
  if (from === to) return { fits: 'true', using: sql };
  if (from === 'bigint' && to === 'double') {
    return { fits: `${sql}::double precision::numeric = ${sql}::numeric`, using: `${sql}::double precision` };
  }
  if (from === 'double' && to === 'bigint') {
    return { fits: `${sql} = trunc(${sql}) AND abs(${sql}) < 9.2e18`, using: `${sql}::bigint` };
  }
  const text = toTextSql(sql, from);
  if (to === 'text') return { fits: 'true', using: text };
  if (to === 'json' && from !== 'text') return { fits: 'true', using: `to_jsonb(${isScalar(from) ? sql : text})` };
  const type = POSTGRES_TYPE[to];
  const form = FORMS[to];
  const valid = `pg_input_is_valid(${text}, '${type}')`;
  const fits = form === undefined ? valid : `(${text} ~ '${form}' AND ${valid})`;
  return { fits, using: `${text}::${type}` };
}

const isScalar = (type: ColumnType): boolean => ['bigint', 'double', 'boolean'].includes(type);
