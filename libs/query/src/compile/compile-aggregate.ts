import { type SqlText } from '../fields/column.js';
import { type Condition } from '../fields/condition.js';
import { type Field } from '../fields/field.js';
import { type AggregateOrder, type Group, groupType, type Metric, metricType } from '../fields/grouping.js';
import { Binder } from './binder.js';
import { conditionSql } from './compile-condition.js';
import { columnSql, numericSql, orderSql, textSql, valueSql, toWireSql } from './field-sql.js';

export interface Aggregate {
  /** Trusted SQL. */
  table: string;
  condition: Condition | null;
  groups: Group[];
  metrics: Metric[];
  order: AggregateOrder[];
  /** Maximum number of groups; see `MAX_GROUPS`. */
  limit: number;
}

/**
 * Compiles the statement for the metrics of groups. Each row has the groups as `g0`, `g1`, … and the metrics as `m0`, `m1`, …,
 * for `readField` with `groupType` and `metricType`. The groups themselves decide between rows that are equal in the order.
 */
export function compileAggregate({ table, condition, groups, metrics, order, limit }: Aggregate): SqlText {
  const binder = new Binder();
  const inner = [
    ...groups.map((group, at) => `${groupSql(group, binder)} AS g${at}`),
    ...metrics.map((metric, at) => `${metricSql(metric, binder)} AS m${at}`),
  ].join(', ');
  const from = `${table}${unfoldSql(groups, binder)}`;
  const where = condition === null ? '' : ` WHERE ${conditionSql(condition, binder)}`;
  const by = groups.length === 0 ? '' : ` GROUP BY ${groups.map((_, at) => at + 1).join(', ')}`;
  const outer = [
    ...groups.map((group, at) => `${toWireSql(groupType(group), `g${at}`)} AS g${at}`),
    ...metrics.map((metric, at) => `${toWireSql(metricType(metric), `m${at}`)} AS m${at}`),
  ].join(', ');
  const sorting = orderBySql(order, groups);
  const rows = `LIMIT ${binder.bind(String(limit))}::bigint`;
  const text = `SELECT ${outer} FROM (SELECT ${inner} FROM ${from}${where}${by}) AS grouped${sorting} ${rows}`;
  return { text, values: binder.values };
}

function orderBySql(order: AggregateOrder[], groups: Group[]): string {
  const named = order.map(
    ({ of, at, descending }) => `grouped.${of === 'group' ? 'g' : 'm'}${at}${descending ? ' DESC NULLS LAST' : ''}`,
  );
  const rest = groups.map((_, at) => `grouped.g${at}`);
  const all = [...named, ...rest];
  return all.length === 0 ? '' : ` ORDER BY ${all.join(', ')}`;
}

/** A value that is not an array has no elements, so its row is in no group. */
function unfoldSql(groups: Group[], binder: Binder): string {
  const group = groups.find(({ unfolded }) => unfolded);
  if (group === undefined) return '';
  const list = `CASE jsonb_typeof(${valueSql(group.field, binder)}) WHEN 'array' THEN ${valueSql(group.field, binder)} END`;
  return ` CROSS JOIN LATERAL jsonb_array_elements(${list}) AS unfolded (element)`;
}

/** Weeks begin on Monday and days at midnight UTC, as the year 1 did. No date is before the year 1. */
function groupSql({ field, unfolded, bucket }: Group, binder: Binder): string {
  if (unfolded) return `nullif(unfolded.element, 'null'::jsonb)`;
  if (bucket === undefined) return orderSql(field, binder);
  if (bucket.kind === 'width') return widthSql(field, bucket.width, binder);
  if (bucket.kind === 'calendar') return `date_trunc('${bucket.unit}', ${columnSql(field)}, 'UTC')`;
  const length = binder.bind(`${bucket.seconds} seconds`);
  return `date_bin(${length}::interval, ${columnSql(field)}, '0001-01-01T00:00:00Z'::timestamptz)`;
}

/** Rounds down, also below zero, with exact decimals. */
function widthSql(field: Field, width: string, binder: Binder): string {
  const remainder = `mod(${numericSql(field, binder)}, ${binder.bind(width)}::numeric)`;
  const above = `mod(${remainder} + ${binder.bind(width)}::numeric, ${binder.bind(width)}::numeric)`;
  return `${numericSql(field, binder)} - ${above}`;
}

function metricSql({ metric, field }: Metric, binder: Binder): string {
  if (field === undefined) return 'count(*)';
  if (metric === 'count') return `count(${field.column.type === 'json' ? textSql(field, binder) : columnSql(field)})`;
  if (metric === 'distinct') return `count(DISTINCT ${orderSql(field, binder)})`;
  const value = field.column.type === 'json' ? numericSql(field, binder) : orderSql(field, binder);
  // Postgres' own average of doubles also sums their squares, which exceed the range of a double sooner (float8_accum).
  if (metric === 'avg' && field.column.type === 'double') return `sum(${value}) / count(${value})`;
  return `${metric}(${value})`;
}
