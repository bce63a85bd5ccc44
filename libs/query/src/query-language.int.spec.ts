import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { checkQuery } from './check-query.js';
import { type Column } from './column.js';
import { compileCondition } from './compile-condition.js';
import { parseQuery } from './parse-query.js';
import { NOW, readGuide } from './testing/read-guide.js';
import { createTable } from './testing/create-table.js';

const guide = readGuide(readFileSync(new URL('../../../docs/query-language.md', import.meta.url), 'utf8'));
const columns: Column[] = guide.columns;
let database: FreshDatabase;

beforeAll(async () => {
  database = await emptyDatabase();
  await createTable(database, columns, guide.rows);
});
afterAll(() => database.drop());

describe('the guide is true of Postgres', () => {
  it.each(guide.examples.filter(({ error }) => error === undefined))('$query', async ({ query, rows }) => {
    const { text, values } = compileCondition(checkQuery(parseQuery(query), columns, { now: NOW }));
    const found = await database.query<{ row: number }>(
      `SELECT c0::int AS row FROM t WHERE ${text} ORDER BY 1`,
      values,
    );
    expect(found.map(({ row }) => row)).toEqual(rows);
  });
});
