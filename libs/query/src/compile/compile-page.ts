import { type SqlText } from '../fields/column.js';
import { type Condition } from '../fields/condition.js';
import { type Field, type Order } from '../fields/field.js';
import { Binder } from './binder.js';
import { conditionSql } from './compile-condition.js';
import { boundSql, nullsLastSql, orderSql, orderWireSql, wireSql } from './field-sql.js';

/** A page of a table's rows in an order. */
export interface Page {
  /** Trusted SQL. */
  table: string;
  /** Trusted SQL: a bigint column that is unique and never NULL. It decides between rows that are equal in the order. */
  key: string;
  fields: Field[];
  condition: Condition | null;
  order: Order[];
  /** The row after which the page begins; null for the first page. */
  after: Cursor | null;
  limit: number;
  /**
   * False if no index begins with the first column of the order. Then one statement reads all matching rows once, instead of
   * several statements that each read all of them.
   */
  indexed?: boolean;
}

/** The position of a row: its values in the order, from the columns `o0`, `o1`, … and `k` of a page. */
export interface Cursor {
  values: (string | null)[];
  key: string;
}

/**
 * Compiles the statements of a page. The caller executes them in order until it has `limit` rows. The limit is the last parameter
 * of each statement, so that the caller can replace it by the number of remaining rows.
 *
 * Example: in the order (a, -b), these rows follow a row (x, y, id), one statement each: a = x, b = y and a greater id; a = x and
 * a lesser b; a = x and no b; a greater a; no a. Rows without a value are last in both directions. Each statement reads
 * one range of an index from its start. One statement with OR, or with a comparison of whole rows in mixed directions, would
 * read and sort all matching rows. The key has the direction of the first column.
 */
export function compilePage(page: Page): SqlText[] {
  const { order, descending } = effectiveOrder(page);
  const segments = page.after === null ? firstSegments(order) : segmentsAfter(order, page.after.values);
  if (page.indexed === false && order.length > 0) return [compileSingleStatement(page, order, segments, descending)];
  return segments.map((segment) => compileSegment(page, segment, descending));
}

/** Removes the columns after the key, which do not change the order. */
function effectiveOrder({ order, key }: Page): { order: Order[]; descending: boolean } {
  const at = order.findIndex(({ field }) => field.path === undefined && field.column.sql === key);
  if (at === -1) return { order, descending: order[0]?.descending ?? false };
  return { order: order.slice(0, at), descending: order[at]!.descending };
}

/** A range of rows: rows with equal values in the first columns, from a bound in the next column, ordered by the rest. */
interface Segment {
  equal: { order: Order; value: string | null }[];
  next?: { order: Order; from: Bound };
  rest: Order[];
  /** Whether the range has only rows whose key is after the key of the cursor. */
  isAfterKey: boolean;
}

/** `any`: rows with or without a value. */
type Bound = { kind: 'any' | 'present' | 'missing' } | { kind: 'after'; value: string };

/** Read backwards, an index returns rows without a value first, so those rows are a separate segment. */
function firstSegments(order: Order[]): Segment[] {
  const [first, ...rest] = order;
  if (first === undefined) return [{ equal: [], rest: [], isAfterKey: false }];
  if (!first.descending || !isNullable(first)) return [segment([], first, rest, { kind: 'any' })];
  return [segment([], first, rest, { kind: 'present' }), segment([], first, rest, { kind: 'missing' })];
}

function segmentsAfter(order: Order[], values: (string | null)[]): Segment[] {
  const equal = order.map((one, at) => ({ order: one, value: values[at] ?? null }));
  const segments: Segment[] = [{ equal, rest: [], isAfterKey: true }];
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const { value } = equal[at]!;
    if (value === null) continue;
    const [preceding, next, rest] = [equal.slice(0, at), order[at]!, order.slice(at + 1)];
    segments.push(segment(preceding, next, rest, { kind: 'after', value }));
    if (isNullable(next)) segments.push(segment(preceding, next, rest, { kind: 'missing' }));
  }
  return segments;
}

const segment = (equal: Segment['equal'], order: Order, rest: Order[], from: Bound): Segment => ({
  equal,
  next: { order, from },
  rest,
  isAfterKey: false,
});

const isNullable = ({ field }: Order): boolean => field.path !== undefined || field.column.nullable !== false;

function compileSegment(page: Page, part: Segment, descending: boolean): SqlText {
  const binder = new Binder();
  return compileStatement(
    page,
    rangeConditions(page, part, descending, binder),
    orderBySql(part, binder),
    descending,
    binder,
  );
}

/** Compiles one statement for all segments; for the first page, for all rows. */
function compileSingleStatement(page: Page, order: Order[], segments: Segment[], descending: boolean): SqlText {
  const binder = new Binder();
  const sorting = order.map((one) => nullsLastSql(one, binder));
  if (page.after === null) return compileStatement(page, [], sorting, descending, binder);
  const ranges = segments.map((part) => `(${rangeConditions(page, part, descending, binder).join(' AND ')})`);
  return compileStatement(page, [`(${ranges.join(' OR ')})`], sorting, descending, binder);
}

function compileStatement(
  { table, key, fields, order, condition, limit }: Page,
  range: string[],
  sorting: string[],
  descending: boolean,
  binder: Binder,
): SqlText {
  const columns = [
    ...fields.map((field, at) => `${wireSql(field, binder)} AS f${at}`),
    `${key}::text AS k`,
    ...order.map(({ field }, at) => `${orderWireSql(field, binder)} AS o${at}`),
  ].join(', ');
  const conditions = [...(condition === null ? [] : [conditionSql(condition, binder)]), ...range];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const by = [...sorting, `${key}${descending ? ' DESC' : ''}`].join(', ');
  const rows = `LIMIT ${binder.bind(String(limit))}::bigint`;
  return { text: `SELECT ${columns} FROM ${table}${where} ORDER BY ${by} ${rows}`, values: binder.values };
}

function rangeConditions({ key, after }: Page, part: Segment, descending: boolean, binder: Binder): string[] {
  const conditions = part.equal.map(({ order, value }) => equalSql(order.field, value, binder));
  if (part.next !== undefined) conditions.push(...nextConditions(part.next, binder));
  if (part.isAfterKey && after !== null)
    conditions.push(`${key} ${descending ? '<' : '>'} ${boundSql('bigint', after.key, binder)}`);
  return conditions;
}

function equalSql(field: Field, value: string | null, binder: Binder): string {
  const sql = orderSql(field, binder);
  return value === null ? `${sql} IS NULL` : `${sql} = ${boundSql(field.column.type, value, binder)}`;
}

function nextConditions({ order, from }: NonNullable<Segment['next']>, binder: Binder): string[] {
  if (from.kind === 'any') return [];
  const sql = orderSql(order.field, binder);
  if (from.kind !== 'after') return [`${sql} IS ${from.kind === 'present' ? 'NOT ' : ''}NULL`];
  const value = boundSql(order.field.column.type, from.value, binder);
  return [`${sql} ${order.descending ? '<' : '>'} ${value}`];
}

/**
 * If all rows of a segment have a value, or none has, plain `DESC` is sufficient and matches an index that is read backwards.
 * Columns that are NULL in all rows are included: Postgres does not detect that they are constant, and would otherwise
 * read and sort all rows by the columns after them.
 */
function orderBySql({ equal, next, rest }: Segment, binder: Binder): string[] {
  const missing = equal.filter(({ value }) => value === null).map(({ order }) => order);
  const plain = next === undefined ? missing : [...missing, next.order];
  return [
    ...plain.map((order) => `${orderSql(order.field, binder)}${order.descending ? ' DESC' : ''}`),
    ...rest.map((order) => nullsLastSql(order, binder)),
  ];
}
