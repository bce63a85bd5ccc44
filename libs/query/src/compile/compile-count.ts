import { type SqlText } from '../fields/column.js';
import { type Condition } from '../fields/condition.js';
import { Binder } from './binder.js';
import { conditionSql } from './compile-condition.js';

/**
 * Compiles the statement for the number of matching rows, as text in the column `count`. With `upTo`, it counts at most
 * `upTo + 1` rows, which means more than `upTo`.
 */
export function compileCount(table: string, condition: Condition | null, upTo?: number): SqlText {
  const binder = new Binder();
  const where = condition === null ? '' : ` WHERE ${conditionSql(condition, binder)}`;
  if (upTo === undefined)
    return { text: `SELECT count(*)::text AS count FROM ${table}${where}`, values: binder.values };
  const rows = `SELECT 1 FROM ${table}${where} LIMIT ${binder.bind(String(upTo + 1))}::bigint`;
  return { text: `SELECT count(*)::text AS count FROM (${rows}) AS matching`, values: binder.values };
}
