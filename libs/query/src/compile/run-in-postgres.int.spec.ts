import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Client, DatabaseError } from 'pg';
import { checkQuery } from '../fields/check-query.js';
import { type Column, type SqlText } from '../fields/column.js';
import { parseGroup } from '../parse/parse-group.js';
import { parseMetrics } from '../parse/parse-metrics.js';
import { parseOrder } from '../parse/parse-order.js';
import { parseQuery } from '../parse/parse-query.js';
import { parseSelect } from '../parse/parse-select.js';
import { QueryError } from '../parse/query-error.js';
import { connectDatabase, type ConnectedDatabase } from '../testing/connect-database.js';
import { createTable } from '../testing/create-table.js';
import { randomValue } from '../testing/random-table.js';
import { HOSTILE_COLUMNS as columns, randomText } from '../testing/random-text.js';
import { compileAggregate } from './compile-aggregate.js';
import { compileCondition } from './compile-condition.js';
import { compileCount } from './compile-count.js';
import { compilePage, type Page } from './compile-page.js';
import { compileRows } from './compile-rows.js';
import { describeSqlError } from './describe-sql-error.js';

const NOW = new Date('2026-06-15T12:00:00Z');
let database: ConnectedDatabase;
let client: Client;

beforeAll(async () => {
  database = await connectDatabase();
  ({ client } = database);
});
afterAll(() => database.close());

const whole: Page = { table: 't', key: '_id', fields: [], condition: null, order: [], after: null, limit: 5 };

const USES: ((text: string) => SqlText)[] = [
  (text) => {
    const { text: where, values } = compileCondition(checkQuery(parseQuery(text), columns, { now: NOW }));
    return { text: `SELECT count(*) FROM t WHERE ${where}`, values };
  },
  (text) => compilePage({ ...whole, fields: parseSelect(text, columns) })[0]!,
  (text) => compileRows({ ...whole, fields: parseSelect(text, columns), order: parseOrder(text, columns) }),
  (text) => {
    const [groups, metrics] = [parseGroup(text, columns), parseMetrics('', columns)];
    return compileAggregate({ table: 't', condition: null, groups, metrics, order: [], limit: 10 });
  },
  (text) => {
    const metrics = parseMetrics(text, columns);
    return compileAggregate({ table: 't', condition: null, groups: [], metrics, order: [], limit: 10 });
  },
];

function compiled(make: () => SqlText): SqlText | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

/** The SQLSTATE that a statement fails with. */
async function failureOf({ text, values }: SqlText): Promise<string | undefined> {
  try {
    await client.query(text, values);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseError) return error.code;
    throw error;
  }
}

describe('a compiled statement', () => {
  it('runs in Postgres, except for patterns and sums that only Postgres can reject', async () => {
    const values = fc.tuple(...columns.map(({ type }) => fc.option(randomValue(type), { freq: 5 })));
    const rows = fc.sample(values, { numRuns: 20, seed: 1 });
    await createTable(
      client,
      columns,
      rows.map((row) => new Map(columns.map(({ name }, at) => [name, row[at]]))),
    );
    let executed = 0;
    await fc.assert(
      fc.asyncProperty(randomText, fc.nat(USES.length - 1), async (text, at) => {
        const statement = compiled(() => USES[at]!(text));
        if (statement === undefined) return;
        executed += 1;
        const code = await failureOf(statement);
        if (code !== undefined) expect([code, describeSqlError(code)]).toEqual([code, expect.any(String)]);
      }),
      { numRuns: 8_000 },
    );
    expect(executed).toBeGreaterThan(400);
  });
});

describe('an index', () => {
  const table: Column[] = [
    { name: 'a', type: 'bigint', sql: 'c0' },
    { name: 'b', type: 'text', sql: 'c1' },
    { name: 'ip', type: 'inet', sql: 'c2' },
    { name: 'tags', type: 'json', sql: 'c3' },
    { name: 'at', type: 'timestamp', sql: 'c4' },
  ];

  beforeAll(async () => {
    await client.query('CREATE SCHEMA live');
    await client.query(
      'CREATE TABLE live.d_1 (_id bigint PRIMARY KEY, c0 bigint, c1 text COLLATE "C", c2 inet, c3 jsonb, c4 timestamptz)',
    );
    await client.query(
      `INSERT INTO live.d_1
       SELECT i, nullif(i % 1000, 0), 'x' || (i % 777), inet '10.0.0.0' + i, jsonb_build_array('t' || (i % 5000), i),
         timestamptz '2026-01-01Z' + i * interval '1 minute'
       FROM generate_series(1, 50000) AS i`,
    );
    for (const column of ['c0', 'c1', 'c2', 'c4']) await client.query(`CREATE INDEX ON live.d_1 (${column}, _id)`);
    await client.query('CREATE INDEX ON live.d_1 USING gin (c3 jsonb_path_ops)');
    await client.query('ANALYZE live.d_1');
  });

  const planOf = async ({ text, values }: SqlText): Promise<string> => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`,
      values,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it.each([
    ['', null],
    ['', { values: [], key: '400' }],
    ['a', null],
    ['-a', null],
    ['-b', null],
    ['a', { values: ['500'], key: '30500' }],
    ['-a', { values: ['500'], key: '30500' }],
    ['a', { values: [null], key: '30000' }],
    ['b', { values: ['x5'], key: '30000' }],
    ['-b', { values: ['x5'], key: '30000' }],
  ])(
    'returns a page in the order "%s" after %j without a sort and without reading other rows',
    async (order, after) => {
      const fields = parseSelect('', table);
      const page: Page = { ...whole, table: 'live.d_1', fields, order: parseOrder(order, table), after, limit: 50 };
      for (const statement of compilePage(page)) {
        const plan = await planOf(statement);
        expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap|Rows Removed/);
        expect(plan).toMatch(/Index/);
      }
    },
  );

  it.each([
    'a = 7',
    'a IN (7, 8)',
    'a > 10 AND a < 13',
    'b = x7',
    'b IN (x7, x8)',
    'b > x776',
    'b LIKE "x77%"',
    'ip = 10.0.1.7',
    'ip = 10.0.1.0/24',
    'ip IN (10.0.1.7, 10.0.1.8)',
    'tags HAS t7',
    'tags HAS 7',
    'at > 2026-02-04',
    'a = 7 OR b = x7',
    'NOT (a != 7 OR b < x5)',
  ])('finds the rows of %s', async (query) => {
    const condition = checkQuery(parseQuery(query), table, { now: NOW });
    const plan = await planOf(compileCount('live.d_1', condition));
    expect(plan).toMatch(/Index/);
    expect(plan).not.toMatch(/Seq Scan/);
  });
});
