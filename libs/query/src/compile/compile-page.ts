import { type SqlText } from '../fields/column.js';
import { type Condition } from '../fields/condition.js';
import { type Field, type Order } from '../fields/field.js';
import { Binder } from './binder.js';
import { conditionSql } from './compile-condition.js';
import { boundSql, nullsLastSql, orderSql, orderWireSql, wireSql } from './field-sql.js';

/** A part of a table's rows, in an order. */
export interface Page {
  /** Trusted SQL. */
  table: string;
  /** Trusted SQL: the column that is unique and never NULL, a bigint. It decides between equals. */
  key: string;
  fields: Field[];
  condition: Condition | null;
  order: Order[];
  /** The row behind which the page begins; null for the first page. */
  after: Cursor | null;
  limit: number;
  /**
   * False where no index begins with the first column of the order. One statement that reads all matching rows once is
   * then better than several that each do.
   */
  indexed?: boolean;
}

/** The place of a row: what it is ordered by, as the columns `o0`, `o1`, … and `k` of a page carry it. */
export interface Cursor {
  values: (string | null)[];
  key: string;
}

/**
 * The statements of a page, to be run one after another until `limit` rows are there. The limit is the last parameter
 * of each, so that the later ones can be given what is left.
 *
 * Behind a row (x, y, id) in the order (a, -b) come those with a = x, b = y and a greater id; those with a = x and a
 * lesser b; with a = x and no b; with a greater a; with no a: rows without a value are last in both directions. Each is
 * a statement, since each walks one range of an index from its start, where OR, or a comparison of whole rows with mixed
 * directions, would read and sort all that match. The key has the direction of the first order.
 */
export function compilePage(page: Page): SqlText[] {
  const { order, descending } = orderOf(page);
  const segments = page.after === null ? firstSegments(order) : segmentsAfter(order, page.after.values);
  if (page.indexed === false && order.length > 0) return [compileSingleStatement(page, order, segments, descending)];
  return segments.map((segment) => compileSegment(page, segment, descending));
}

/** What stands in the order behind the key orders nothing more. */
function orderOf({ order, key }: Page): { order: Order[]; descending: boolean } {
  const at = order.findIndex(({ field }) => field.path === undefined && field.column.sql === key);
  if (at === -1) return { order, descending: order[0]?.descending ?? false };
  return { order: order.slice(0, at), descending: order[at]!.descending };
}

/** A range of rows: all that are alike in some orders, from a place in the next one on, in the order of the rest. */
interface Segment {
  equal: { order: Order; value: string | null }[];
  next?: { order: Order; from: Bound };
  rest: Order[];
  /** Whether only keys behind the cursor's belong to it. */
  isAfterKey: boolean;
}

/** `any`: with or without a value. */
type Bound = { kind: 'any' | 'present' | 'missing' } | { kind: 'behind'; value: string };

/** Backwards an index gives rows without a value first, so they are a segment of their own. */
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
    const [alike, next, rest] = [equal.slice(0, at), order[at]!, order.slice(at + 1)];
    segments.push(segment(alike, next, rest, { kind: 'behind', value }));
    if (isNullable(next)) segments.push(segment(alike, next, rest, { kind: 'missing' }));
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

/** All segments at once; of a first page, all rows. */
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
  if (from.kind !== 'behind') return [`${sql} IS ${from.kind === 'present' ? 'NOT ' : ''}NULL`];
  const value = boundSql(order.field.column.type, from.value, binder);
  return [`${sql} ${order.descending ? '<' : '>'} ${value}`];
}

/**
 * Where the rows of a segment are with a value, or are without one, `DESC` alone says the order, and is what an index
 * read backwards gives. What is NULL throughout is named too: Postgres does not know that it is the same for all rows,
 * and would read and sort them all by what comes behind it.
 */
function orderBySql({ equal, next, rest }: Segment, binder: Binder): string[] {
  const missing = equal.filter(({ value }) => value === null).map(({ order }) => order);
  const plain = next === undefined ? missing : [...missing, next.order];
  return [
    ...plain.map((order) => `${orderSql(order.field, binder)}${order.descending ? ' DESC' : ''}`),
    ...rest.map((order) => nullsLastSql(order, binder)),
  ];
}
