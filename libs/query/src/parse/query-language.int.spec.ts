import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { compileAggregate } from '../compile/compile-aggregate.js';
import { compileCondition } from '../compile/compile-condition.js';
import { compileRows } from '../compile/compile-rows.js';
import { checkQuery } from '../fields/check-query.js';
import { type Column } from '../fields/column.js';
import { groupType, metricType } from '../fields/grouping.js';
import { createTable } from '../testing/create-table.js';
import { NOW, readGuide } from '../testing/read-guide.js';
import { readField } from '../values/read-field.js';
import { MAX_GROUPS } from './limits.js';
import { parseAggregateOrder } from './parse-aggregate-order.js';
import { parseGroup } from './parse-group.js';
import { parseMetrics } from './parse-metrics.js';
import { parseOrder } from './parse-order.js';
import { parseQuery } from './parse-query.js';
import { parseSelect } from './parse-select.js';

const guide = readGuide(readFileSync(new URL('../../../../docs/reference/query-language.md', import.meta.url), 'utf8'));
const columns: Column[] = guide.columns;
let database: FreshDatabase;

beforeAll(async () => {
  database = await emptyDatabase();
  await createTable(database, columns, guide.rows);
});
afterAll(() => database.drop());

describe('Postgres returns the rows of the guide for the query', () => {
  it.each(guide.examples.filter(({ error }) => error === undefined))('$query', async ({ query, rows }) => {
    const { text, values } = compileCondition(checkQuery(parseQuery(query), columns, { now: NOW }));
    const found = await database.query<{ row: number }>(
      `SELECT c0::int AS row FROM t WHERE ${text} ORDER BY 1`,
      values,
    );
    expect(found.map(({ row }) => row)).toEqual(rows);
  });
});

describe('the example of an order in the guide is correct', () => {
  it.each(guide.orders.filter(({ error }) => error === undefined))('$query', async ({ query, rows }) => {
    const [fields, order] = [parseSelect('_row', columns), parseOrder(query, columns)];
    const { text, values } = compileRows({ table: 't', key: 'c0', fields, condition: null, order });
    const found = await database.query<{ f0: string }>(text, values);
    expect(found.map(({ f0 }) => Number(f0))).toEqual(rows);
  });

  it.each(guide.orders.filter(({ error }) => error !== undefined))('$query', ({ query, error }) => {
    expect(() => parseOrder(query, columns)).toThrow(expect.objectContaining({ part: 'order', position: error }));
  });
});

const aggregateOf = (parameters: ReadonlyMap<string, string>) => {
  const groups = parseGroup(parameters.get('group_by'), columns);
  const metrics = parseMetrics(parameters.get('metrics'), columns);
  const order = parseAggregateOrder(parameters.get('order'), { groups, metrics }, columns);
  const condition = checkQuery(parseQuery(parameters.get('q') ?? ''), columns, { now: NOW });
  return { table: 't', groups, metrics, order, condition, limit: MAX_GROUPS };
};

describe('the example of groups and metrics in the guide is correct', () => {
  it.each(guide.aggregates.filter(({ error }) => error === undefined))('$request', async ({ parameters, rows }) => {
    const aggregate = aggregateOf(parameters);
    const { text, values } = compileAggregate(aggregate);
    const found = await database.query<Record<string, string | null>>(text, values);
    const read = found.map((row) => [
      ...aggregate.groups.map((group, at) => readField(groupType(group), row[`g${at}`]!)),
      ...aggregate.metrics.map((metric, at) => readField(metricType(metric), row[`m${at}`]!)),
    ]);
    expect(read).toEqual(rows);
  });

  it.each(guide.aggregates.filter(({ error }) => error !== undefined))('$request', ({ parameters, error }) => {
    expect(() => aggregateOf(parameters)).toThrow(expect.objectContaining({ name: 'QueryError', position: error }));
  });
});
