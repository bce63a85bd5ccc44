import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { listValues, updateColumn } from '@millrace/contracts/datasets/columns';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import {
  aggregateRows,
  getRow,
  getQueryHelp,
  listChanges,
  queryRows,
  type rowsPage,
} from '@millrace/contracts/datasets/rows';
import { listSolutions, querySolution } from '@millrace/contracts/datasets/solutions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertRows, seedDataset, type SeededDataset } from '../testing/seed-dataset.js';

let system: SystemWithStore;
beforeAll(async () => void (system = await startWithStore([start], { QUERY_TIMEOUT: '1500' })));
afterAll(() => system.close());

const seed = (owner: Caller, columns: [string, ColumnType][], key: string[] = []) =>
  seedDataset(system.database, owner, { columns, key });

const insert = (table: SeededDataset, columns: number, select: string) =>
  insertRows(system.database, table, columns, select);

const readPage = (caller: Caller, { id }: SeededDataset, query: object = {}) =>
  system.callAs(caller, queryRows, { params: { id }, query }, { timeoutMs: 30_000 });

async function readAllPages(caller: Caller, table: SeededDataset, query: object): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: z.output<typeof rowsPage> = await readPage(caller, table, { ...query, ...(cursor && { cursor }) });
    rows.push(...page.results);
    cursor = page.cursor;
  }
  return rows;
}

it('every operation on rows accepts an id in upper case', async () => {
  const owner = ownerCaller();
  const table = await seed(owner, [['a', 'text']]);
  await insert(table, 1, `'x'`);
  const member = memberCaller(owner, { [table.space]: 'insights' });
  const id = table.id.toUpperCase();
  const params = { id };
  for (const caller of [owner, member, owner]) {
    expect((await readPage(caller, { ...table, id }, { select: 'a' })).results).toEqual([{ a: 'x' }]);
    expect((await system.callAs(caller, getRow, { params: { id, row: '1' } })).row).toMatchObject({ a: 'x' });
    expect((await system.callAs(caller, aggregateRows, { params })).results).toHaveLength(1);
    expect((await system.callAs(caller, listChanges, { params, query: {} })).results).toEqual([]);
    expect((await system.callAs(caller, listValues, { params: { id, name: 'a' } })).results).toHaveLength(1);
    expect(await system.callAs(caller, getQueryHelp, { params })).toBeDefined();
    const query = { dataset: id, select: 'a' };
    const union = await system.callAs(caller, querySolution, { params: { id: table.solution.toUpperCase() }, query });
    expect(union.results).toEqual([{ a: 'x' }]);
    const filters = { vault: owner.vault.toUpperCase(), space: table.space.toUpperCase() };
    expect((await system.callAs(caller, listSolutions, { query: filters })).count).toBe(1);
  }
});

it('a cursor becomes invalid when the type of an ordering column changes', async () => {
  const owner = ownerCaller();
  const table = await seed(owner, [['n', 'bigint']]);
  await insert(table, 1, `n FROM generate_series(8, 12) n`);
  const query = { select: 'n', order: 'n', page_size: 2 };
  const { cursor } = await readPage(owner, table, query);
  const unionRequest = { params: { id: table.solution }, query };
  const { cursor: unionCursor } = await system.callAs(owner, querySolution, unionRequest);
  await system.callAs(owner, updateColumn, { params: { id: table.id, name: 'n' }, body: { type: 'text' } });
  const invalidCursor = { code: 'validation_error', details: { 'query.cursor': expect.any(String) } };
  await expect(readPage(owner, table, { ...query, cursor })).rejects.toMatchObject(invalidCursor);
  await expect(
    system.callAs(owner, querySolution, { ...unionRequest, query: { ...query, cursor: unionCursor ?? '' } }),
  ).rejects.toMatchObject(invalidCursor);
});

describe('rows of a Live Table', () => {
  it('have JSON values for every column type', async () => {
    const owner = ownerCaller();
    const types: ColumnType[] = ['text', 'bigint', 'double', 'boolean', 'timestamp', 'inet', 'uuid', 'json'];
    const table = await seed(
      owner,
      types.map((type) => [type, type]),
    );
    const uuid = '0198c0de-0000-7000-8000-000000000001';
    await insert(
      table,
      8,
      `'t', 5, 1.5, true, '2026-01-02T03:04:05.678Z', '10.0.0.0/8', '${uuid}', '{"a": [1, null]}'`,
    );
    await insert(table, 8, 'NULL, 9007199254740993, NULL, NULL, NULL, NULL, NULL, NULL');
    const page = await readPage(owner, table);
    expect(page.results).toEqual([
      {
        text: 't',
        bigint: 5,
        double: 1.5,
        boolean: true,
        timestamp: '2026-01-02T03:04:05.678Z',
        inet: '10.0.0.0/8',
        uuid,
        json: { a: [1, null] },
        _row: 1,
        _first_seen: '2026-01-01T00:00:00.000Z',
        _run: null,
        _subjob: null,
      },
      expect.objectContaining({ text: null, bigint: '9007199254740993', json: null, _row: 2 }),
    ]);
    expect(page.columns.slice(0, 3)).toEqual([
      { name: 'text', type: 'text' },
      { name: 'bigint', type: 'bigint' },
      { name: 'double', type: 'double' },
    ]);
    expect(page).toMatchObject({ count: 2, cursor: null });
  });

  it('have the exact column names that the user chose', async () => {
    const owner = ownerCaller();
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'and',
      '_id',
      'x y',
      '`',
      '"',
      "'",
      'ы'.repeat(1000),
      'a.b',
      '',
    ];
    const table = await seed(
      owner,
      names.map((name) => [name, 'text']),
    );
    await insert(table, names.length, names.map((_, at) => `'v${at}'`).join(', '));
    const { results } = await readPage(owner, table);
    const [row] = results as Record<string, unknown>[];
    expect(Object.keys(row ?? {}).slice(0, names.length)).toEqual(names);
    for (const [at, name] of names.entries()) {
      expect(Object.getOwnPropertyDescriptor(row, name)?.value).toBe(`v${at}`);
      if (name === '') continue;
      const quoted = `\`${name.replaceAll('`', '``')}\``;
      const query = { q: `${quoted} = 'v${at}'`, select: quoted, order: `-${quoted}` };
      const [found] = (await readPage(owner, table, query)).results;
      expect(JSON.stringify(found)).toBe(JSON.stringify([[name, `v${at}`]]).replace(/^\[\[(.*),(.*)\]\]$/s, '{$1:$2}'));
    }
  });

  it('are returned once each, in every order, while a client pages and others insert rows', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [
      ['a', 'bigint'],
      ['b', 'text'],
      ['n', 'bigint'],
    ]);
    await insert(table, 3, `nullif(n % 4, 3), nullif('b' || n % 5, 'b4'), n FROM generate_series(1, 60) n`);
    const orders = ['', '-_row', 'a', '-a', 'a,-b', '-a,b', 'b,-a,n', '-b,a,-n'];
    const cases = fc.record({ order: fc.constantFrom(...orders), page_size: fc.integer({ min: 1, max: 70 }) });
    await fc.assert(
      fc.asyncProperty(cases, async ({ order, page_size }) => {
        const whole = (await readPage(owner, table, { q: 'n <= 60', order, page_size: 1000 })).results;
        const paging = readAllPages(owner, table, { q: 'n <= 60', order, page_size });
        await insert(table, 3, `n % 4, 'b' || n % 5, n + 1000 FROM generate_series(1, 3) n`);
        expect(await paging).toEqual(whole);
        expect(new Set((whole as { n: number }[]).map(({ n }) => n)).size).toBe(60);
      }),
      { numRuns: 12 },
    );
  });

  it('are returned in smaller pages if they are large', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['big', 'text']]);
    await insert(table, 1, `repeat('x', 1000000) || n FROM generate_series(1, 12) n`);
    const first = await readPage(owner, table, { page_size: 12 });
    expect(first.results.length).toBeGreaterThan(0);
    expect(first.results.length).toBeLessThan(8);
    expect(await readAllPages(owner, table, { page_size: 12, select: '_row' })).toHaveLength(12);
    expect(await readAllPages(owner, table, { page_size: 12 })).toHaveLength(12);
  });

  it('with JSON that is nested too deeply are refused at once, and other columns stay readable', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['deep', 'json']]);
    await insert(table, 1, `(repeat('[', 6000) || repeat(']', 6000))::jsonb`);
    await expect(readPage(owner, table)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect((await readPage(owner, table, { select: '_row' })).results).toEqual([{ _row: 1 }]);
  });

  it('are counted exactly if the count is quick', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['n', 'bigint']]);
    await insert(table, 1, 'n FROM generate_series(1, 5000) n');
    expect(await readPage(owner, table, { page_size: 1 })).toMatchObject({ count: 5000 });
    const some = await readPage(owner, table, { q: 'n > 4990', page_size: 3 });
    expect(some).toMatchObject({ count: 10 });
    expect(some).not.toHaveProperty('count_is_estimate');
    expect(await readPage(owner, table, { q: 'n > 4990', cursor: some.cursor })).toMatchObject({
      count: 10,
      cursor: null,
    });
    expect(await readPage(owner, table, { q: 'n > 4990', count: 'none' })).not.toHaveProperty('count');
  });

  it('of a large table have an estimated count until the exact count is known or requested', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['n', 'bigint']]);
    await insert(table, 1, 'n FROM generate_series(1, 150000) n');
    await system.database.query(`ANALYZE live.d_${table.number}`);
    const query = { q: 'n > 20000', page_size: 5 };
    const page = await readPage(owner, table, query);
    expect(page.count_is_estimate).toBe(true);
    expect(Math.abs((page.count ?? 0) - 130_000)).toBeLessThan(13_000);
    expect(await readPage(owner, table, { ...query, count: 'exact' })).toMatchObject({ count: 130_000 });
    const rest = { q: 'n > 149000', page_size: 5, count: 'exact' };
    expect(await readPage(owner, table, rest)).toMatchObject({ count: 1000 });
    // A later page has the count that started in the background with the first page.
    await eventually(async () => {
      const later = await readPage(owner, table, { q: 'n > 148000', page_size: 5 });
      expect([later.count, later.count_is_estimate]).toEqual([2000, undefined]);
    });
  });
});

describe('an invalid query', () => {
  it('is refused with the problem, its position and what is expected there', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['port', 'bigint']]);
    await expect(readPage(owner, table, { q: 'port >' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'query.q': expect.any(String), position: 6, expected: expect.any(Array) },
    });
    const wrong: [object, string][] = [
      [{ q: 'nothing = 1' }, 'query.q'],
      [{ q: 'port = abc' }, 'query.q'],
      [{ q: 'port ~ "("' }, 'query.q'],
      [{ select: 'nothing' }, 'query.select'],
      [{ order: '-nothing' }, 'query.order'],
      [{ cursor: 'x' }, 'query.cursor'],
    ];
    await insert(table, 1, '1');
    for (const [query, detailsKey] of wrong) {
      await expect(readPage(owner, table, query)).rejects.toMatchObject({
        code: 'validation_error',
        details: { [detailsKey]: expect.any(String) },
      });
    }
  });

  it('is refused if its cursor comes from another query', async () => {
    const owner = ownerCaller();
    const [table, other] = [await seed(owner, [['n', 'bigint']]), await seed(owner, [['n', 'bigint']])];
    for (const one of [table, other]) await insert(one, 1, 'n FROM generate_series(1, 3) n');
    const { cursor } = await readPage(owner, table, { q: 'n > 0', order: 'n', page_size: 1 });
    const details = { 'query.cursor': expect.any(String) };
    for (const query of [{ q: 'n > 1', order: 'n' }, { q: 'n > 0', order: '-n' }, { q: 'n > 0' }]) {
      await expect(readPage(owner, table, { ...query, cursor })).rejects.toMatchObject({ details });
    }
    await expect(readPage(owner, other, { q: 'n > 0', order: 'n', cursor })).rejects.toMatchObject({ details });
    expect((await readPage(owner, table, { q: 'n > 0', order: 'n', cursor, select: '_row' })).results).toHaveLength(2);
  });
});

/** Takes exponential time because of the back references. Postgres' automaton decides patterns without them at once. */
const HOSTILE = String.raw`host ~ '^(a+)(a+)(a+)(a+)\\1\\2\\3\\4$'`;

describe('an expensive query', () => {
  it('ends at the timeout and does not delay other users', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['host', 'text']]);
    await insert(table, 1, `repeat('a', 301)`);
    const hostile = Array.from({ length: 10 }, () =>
      readPage(owner, table, { q: HOSTILE, count: 'none' }).then(
        () => 'succeeded',
        (error: { code: string }) => error.code,
      ),
    );
    const others = Array.from({ length: 20 }, () => memberCaller(owner, { [table.space]: 'insights' }));
    const quick = await Promise.all(others.map((caller) => readPage(caller, table, { page_size: 1, select: '_row' })));
    for (const page of quick) expect(page.results).toEqual([{ _row: 1 }]);
    for (const outcome of await Promise.all(hostile)) expect(['validation_error', 'rate_limited']).toContain(outcome);
    expect((await readPage(owner, table, { page_size: 1 })).results).toHaveLength(1);
  });
});

describe('a slow query that the gateway sends twice', () => {
  it('runs once', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['host', 'text']]);
    await insert(table, 1, `repeat('a', 301)`);
    const request = { params: { id: table.id }, query: { q: HOSTILE } };
    // The gateway sends the request again after a third of its timeout.
    const outcomePromise = system.callAs(owner, queryRows, request, { timeoutMs: 2_400 }).then(
      () => 'succeeded',
      (error: { code: string }) => error.code,
    );
    let outcome = '';
    void outcomePromise.then((code) => (outcome = code));
    let maxRunning = 0;
    while (outcome === '') {
      const running = await system.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'millrace-queries' AND state = 'active'
         AND datname = current_database() AND query LIKE '%live.d_${table.number} WHERE%'`,
      );
      maxRunning = Math.max(maxRunning, running.length);
    }
    expect([maxRunning, outcome]).toEqual([1, 'validation_error']);
  });
});

describe('a query whose connection is lost', () => {
  it('fails, and the next query succeeds', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['host', 'text']]);
    await insert(table, 1, `repeat('a', 301)`);
    const failing = readPage(owner, table, { q: HOSTILE }).catch((error: { code: string }) => error.code);
    const disconnect = () =>
      system.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'millrace-queries' AND state = 'active' AND datname = current_database()`,
      );
    await eventually(async () => expect(await disconnect()).toHaveLength(1));
    expect(await failing).toBe('unavailable');
    expect((await readPage(owner, table, { select: '_row' })).results).toEqual([{ _row: 1 }]);
  });
});

describe('a service that shuts down', () => {
  it('does not wait for a slow query', async () => {
    const owner = ownerCaller();
    const copy = await startWithStore([start], { QUERY_TIMEOUT: '60000' });
    const table = await seedDataset(copy.database, owner, { columns: [['host', 'text']] });
    await insertRows(copy.database, table, 1, `repeat('a', 301)`);
    const query = { q: HOSTILE };
    const failing = copy.callAs(owner, queryRows, { params: { id: table.id }, query }).catch(() => 'failed');
    await eventually(async () =>
      expect(
        await copy.database.query(
          `SELECT 1 FROM pg_stat_activity WHERE application_name = 'millrace-queries' AND state = 'active'
           AND datname = current_database()`,
        ),
      ).toHaveLength(1),
    );
    await copy.close();
    expect(await failing).toBe('failed');
  });
});

describe('a table whose columns change while it is queried', () => {
  it('is read either before or after a change, never in between', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, [['a', 'bigint']]);
    await insert(table, 1, 'n FROM generate_series(1, 200) n');
    let isDone = false;
    const readUntilDone = async () => {
      const shapes = new Set<string>();
      while (!isDone) {
        const { results } = await readPage(owner, table, { select: '*', page_size: 500 });
        expect(results).toHaveLength(200);
        shapes.add(Object.keys(results[0] as object).join());
      }
      return shapes;
    };
    const readers = [readUntilDone(), readUntilDone(), readUntilDone()];
    for (const type of ['text', 'bigint', 'double precision', 'text']) {
      await system.database.query(`
        BEGIN;
        ALTER TABLE live.d_${table.number} ALTER COLUMN c1 TYPE ${type} USING c1::${type};
        UPDATE datasets.dataset_column SET type = '${type === 'double precision' ? 'double' : type}' WHERE dataset_id = '${table.id}';
        UPDATE datasets.dataset SET revision = revision + 1 WHERE id = '${table.id}';
        COMMIT`);
    }
    isDone = true;
    for (const shapes of await Promise.all(readers)) expect(shapes.size).toBeGreaterThan(0);
  });
});
