import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from 'pg';
import { checkQuery } from '../fields/check-query.js';
import { type Column } from '../fields/column.js';
import { type Field, type Order } from '../fields/field.js';
import { parseOrder } from '../parse/parse-order.js';
import { parseQuery } from '../parse/parse-query.js';
import { parseSelect } from '../parse/parse-select.js';
import { connectDatabase, type ConnectedDatabase } from '../testing/connect-database.js';
import { createTable } from '../testing/create-table.js';
import { evaluate } from '../testing/evaluate.js';
import { printQuery, printReference } from '../testing/print-query.js';
import { randomQuery, randomPath, referenceTo } from '../testing/random-query.js';
import { type RandomTable, randomTable } from '../testing/random-table.js';
import { readField } from '../values/read-field.js';
import { compileCondition } from './compile-condition.js';
import { compileCount } from './compile-count.js';
import { type Cursor, compilePage } from './compile-page.js';
import { compileRows } from './compile-rows.js';
import { decodeCursor, encodeCursor } from './encode-cursor.js';

let database: ConnectedDatabase;
let client: Client;

beforeAll(async () => {
  database = await connectDatabase();
  ({ client } = database);
});
afterEach(() => client.query('DROP TABLE IF EXISTS t'));
afterAll(() => database.close());

const NOW = new Date('2026-06-15T12:00:00Z');
const ROW: Column = { name: '_row', type: 'bigint', sql: '_id', system: true, nullable: false };

type Record = { [column: string]: string | null };

async function fill({ columns, rows }: RandomTable): Promise<void> {
  await client.query('DROP TABLE IF EXISTS t');
  await createTable(client, columns, rows);
}

const withQueries = (count: number) =>
  randomTable.chain((table) =>
    fc.record({ table: fc.constant(table), queries: fc.array(randomQuery(table), { minLength: 1, maxLength: count }) }),
  );

describe('a random query of a random table', () => {
  it('finds the same rows in Postgres and in the evaluator', async () => {
    await fc.assert(
      fc.asyncProperty(withQueries(20), async ({ table, queries }) => {
        await fill(table);
        for (const query of queries) {
          const condition = checkQuery(parseQuery(printQuery(query)), table.columns, { now: NOW });
          const { text, values } = compileCondition(condition);
          const { rows } = await client.query<{ id: string }>(
            `SELECT _id AS id FROM t WHERE ${text} ORDER BY 1`,
            values,
          );
          const expected = table.rows.flatMap((row, at) => (evaluate(condition, row) ? [String(at + 1)] : []));
          expect(rows.map(({ id }) => id)).toEqual(expected);
          const count = compileCount('t', condition, 3);
          const counted = await client.query<{ count: string }>(count.text, count.values);
          expect(counted.rows).toEqual([{ count: String(Math.min(expected.length, 4)) }]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('returns the values that were inserted', async () => {
    await fc.assert(
      fc.asyncProperty(randomTable, async (table) => {
        await fill(table);
        const fields = parseSelect('', table.columns);
        const returned = await readPages(fields, [], 100);
        const expected = table.rows.map((row) => table.columns.map(({ name }) => row.get(name) ?? null));
        expect(returned.map(({ values }) => values)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the pages of a random query', () => {
  const withOrder = randomTable.chain((table) =>
    fc.record({
      table: fc.constant(table),
      size: fc.integer({ min: 1, max: 6 }),
      indexed: fc.boolean(),
      query: fc.option(randomQuery(table)),
      orders: fc.array(
        fc.constantFrom(...table.columns, ROW).chain((column) =>
          fc.tuple(
            fc.constantFrom('', '-'),
            randomPath(column).map((path) => referenceTo(column, path)),
          ),
        ),
        { maxLength: 3 },
      ),
    }),
  );

  it('contain all matching rows once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(withOrder, async ({ table, size, indexed, query, orders }) => {
        await fill(table);
        const columns = [...table.columns, ROW];
        const condition = checkQuery(query, columns, { now: NOW });
        const text = orders.map(([sign, reference]) => `${sign}${printReference(reference)}`).join(', ');
        const order = parseOrder(text, columns);
        const rows = compileRows({ table: 't', key: '_id', fields: parseSelect('_row', columns), condition, order });
        const whole = await client.query<Record>(rows.text, rows.values);
        const pages = await readPages([], order, size, condition, indexed);
        expect(pages.map(({ key }) => key)).toEqual(whole.rows.map(({ f0 }) => f0));
      }),
      { numRuns: 150 },
    );
  });
});

interface ReturnedRow {
  key: string;
  values: unknown[];
}

async function readPages(
  fields: Field[],
  order: Order[],
  limit: number,
  condition: ReturnType<typeof checkQuery> = null,
  indexed = true,
): Promise<ReturnedRow[]> {
  const returned: ReturnedRow[] = [];
  let after: Cursor | null = null;
  for (;;) {
    const page: Record[] = [];
    const whole = { table: 't', key: '_id', fields, condition, order, after, limit, indexed };
    for (const { text, values } of compilePage(whole)) {
      if (page.length === limit) break;
      const { rows } = await client.query<Record>(text, [...values.slice(0, -1), String(limit - page.length)]);
      page.push(...rows);
    }
    returned.push(
      ...page.map((row) => ({
        key: row.k!,
        values: fields.map(({ column }, at) => readField(column.type, row[`f${at}`]!)),
      })),
    );
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return returned;
    const cursor = { key: last.k!, values: order.map((_, at) => last[`o${at}`]!) };
    after = decodeCursor(encodeCursor(cursor, 't'), 't', order);
    expect(after).toEqual(cursor);
  }
}
