import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import type { RowColumns } from './row-columns.js';
import {
  ATTEMPT_COLUMNS,
  CACHE_ENTRY_COLUMNS,
  LOG_TIMES_COLUMNS,
  OUTPUT_COLUMNS,
  RUN_COLUMNS,
  SUBJOB_COLUMNS,
  TASK_COLUMNS,
} from './table-columns.js';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'runs', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const TYPES: Record<string, string> = { int4: 'int', int8: 'bigint', bool: 'boolean' };

describe('the row definition', () => {
  it.each([
    ['run', RUN_COLUMNS],
    ['subjob', SUBJOB_COLUMNS],
    ['attempt', ATTEMPT_COLUMNS],
    ['log_times', LOG_TIMES_COLUMNS],
    ['output', OUTPUT_COLUMNS],
    ['task', TASK_COLUMNS],
    ['cache_entry', CACHE_ENTRY_COLUMNS],
  ] as [string, RowColumns<object>][])('of %s has the columns of its table, with their types', async (table, row) => {
    const columns = await database.client.$queryRaw<{ column_name: string; udt_name: string }[]>`
      SELECT column_name, udt_name FROM information_schema.columns
      WHERE table_schema = 'runs' AND table_name = ${table}`;
    const actual = columns.map(({ column_name: name, udt_name: type }) => `${name} ${TYPES[type] ?? type}`);
    const { sql } = row.recordset(row.fields(), []);
    const declared = /AS c\((.*)\) LIMIT/.exec(sql)?.[1]?.split(', ') ?? [];
    expect(declared.sort()).toEqual(actual.sort());
  });
});
