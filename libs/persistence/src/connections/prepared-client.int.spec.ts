import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { postgresOptions } from './postgres-options.js';
import { PreparedClient } from './prepared-client.js';

let fresh: FreshDatabase;
let client: pg.Client;
/** Types of the messages that Postgres sent. */
let received: string[];
beforeEach(async () => {
  fresh = await freshDatabase();
  client = new PreparedClient({ ...postgresOptions({ url: fresh.url }), pipeline: true });
  await client.connect();
  received = [];
  for (const name of ['rowDescription', 'noData']) client.connection.on(name, () => received.push(name));
});
afterEach(async () => {
  await client.end();
  await fresh.drop();
});

const own = (oid: number, format?: 'text' | 'binary') => (text: string) => `${oid} ${format} ${text}`;
const types: pg.CustomTypesConfig = { getTypeParser: own };
const ROWS = `SELECT n, 'row ' || n AS text, NULL::int AS nothing, '{"a":1}'::jsonb AS json FROM generate_series(1, $1::int) n`;

/** Executes a statement with a plain client of pg. */
async function queryPlain(query: pg.QueryConfig) {
  const plain = new pg.Client(postgresOptions({ url: fresh.url }));
  await plain.connect();
  try {
    return await plain.query(query);
  } finally {
    await plain.end();
  }
}

describe('a prepared statement', () => {
  it.each([
    ['objects', {}],
    ['arrays', { rowMode: 'array' as const }],
    ['values of own types', { types }],
    ['arrays of own types', { rowMode: 'array' as const, types }],
  ])('returns the same result as pg, as %s, and is described once', async (_, format) => {
    const query = (rows: number) => ({ name: 'rows', text: ROWS, values: [rows], ...format });
    for (const rows of [2, 0, 3]) {
      const { command, rowCount, rows: found, fields } = await client.query(query(rows));
      const expected = await queryPlain(query(rows));
      expect({ command, rowCount, rows: found, fields }).toEqual({
        ...{ command: expected.command, rowCount: expected.rowCount, rows: expected.rows, fields: expected.fields },
      });
    }
    expect(received).toEqual(['rowDescription']);
  });

  it('may be read in another format each time', async () => {
    const read = async (format: Partial<pg.QueryArrayConfig>) =>
      (await client.query({ name: 'one', text: 'SELECT 1::int8 AS one', ...format })).rows as unknown[];
    expect(await read({})).toEqual([{ one: '1' }]);
    expect(await read({ rowMode: 'array' })).toEqual([['1']]);
    expect(await read({ types })).toEqual([{ one: '20 text 1' }]);
    expect(await read({ rowMode: 'array', types })).toEqual([['20 text 1']]);
    expect(await read({})).toEqual([{ one: '1' }]);
    expect(received).toEqual(['rowDescription']);
  });

  it('without rows is described once', async () => {
    await client.query('CREATE TABLE item (id int PRIMARY KEY)');
    const insert = (id: number) => client.query({ name: 'insert', text: 'INSERT INTO item VALUES ($1)', values: [id] });
    for (const id of [1, 2]) expect(await insert(id)).toMatchObject({ command: 'INSERT', rowCount: 1, rows: [] });
    expect(received).toEqual(['noData']);
  });

  it('can be sent many times before the first result', async () => {
    const results = await Promise.all(
      [3, 1, 2].map((rows) => client.query({ name: 'rows', text: ROWS, values: [rows] })),
    );
    expect(results.map(({ rows }) => rows.length)).toEqual([3, 1, 2]);
  });

  it('fails alone, and works again', async () => {
    const divide = (by: number) => client.query({ name: 'divide', text: 'SELECT 1 / $1::int AS one', values: [by] });
    const outcomes = await Promise.allSettled([divide(1), divide(0), divide(1)]);
    expect(outcomes).toMatchObject([
      { value: { rows: [{ one: 1 }] } },
      { reason: { code: '22012' } },
      { value: { rows: [{ one: 1 }] } },
    ]);
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect(await divide(1)).toMatchObject({ rows: [{ one: 1 }] });
  });

  it('is rejected by Postgres if its columns have changed', async () => {
    await client.query('CREATE TABLE item (id int)');
    const read = () => client.query({ name: 'all', text: 'SELECT * FROM item' });
    await read();
    await client.query('ALTER TABLE item ADD name text');
    await expect(read()).rejects.toThrow('cached plan must not change result type');
  });

  it('rejects with a value that cannot be sent, and the connection stays usable', async () => {
    const value = { toPostgres: () => JSON.parse('{') as unknown };
    const read = (one: unknown) => client.query({ name: 'one', text: 'SELECT $1::text AS one', values: [one] });
    for (const one of ['1', '2']) {
      await expect(read(value)).rejects.toThrow(SyntaxError);
      expect((await read(one)).rows).toEqual([{ one }]);
    }
  });

  it('takes its values separately, and a time limit', async () => {
    const query = { name: 'separate', text: 'SELECT $1::text AS one' };
    for (const one of ['1', '2']) expect((await client.query(query, [one])).rows).toEqual([{ one }]);
    const slow = { name: 'slow', text: 'SELECT pg_sleep(60)', query_timeout: 50 };
    await expect(client.query(slow)).rejects.toThrow('Query read timeout');
  });
});
