import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { querySolution } from '@millrace/contracts/datasets/solutions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';
import { seedDataset } from '../../testing/seed-dataset.js';

let system: SystemWithStore;
beforeAll(async () => {
  system = await startWithStore([start]);
});
afterAll(() => system.close());

type Columns = [string, ColumnType][];
interface Draft {
  name: string;
  columns: Columns;
  /** Values of its rows as Postgres input. */
  rows: (string | null)[][];
  key?: string[];
}

/** A solution with these tables. */
const seed = async (drafts: Draft[]) => {
  const owner = ownerCaller();
  const solution = newId();
  const tables = [];
  for (const { name, columns, rows, key = [] } of drafts) {
    const table = await seedDataset(system.database, owner, { columns, name, key });
    await system.database.query('UPDATE datasets.dataset SET solution_id = $1 WHERE id = $2', [
      tables[0]?.solution ?? table.solution,
      table.id,
    ]);
    const names = ['_s', '_f', ...columns.map((_, at) => `c${at + 1}`)].join(', ');
    for (const row of rows) {
      const values = ['0', '1000', ...row];
      const places = values.map((_, at) => `$${at + 1}`).join(', ');
      await system.database.query(`INSERT INTO live.d_${table.number} (${names}) VALUES (${places})`, values);
    }
    tables.push(table);
  }
  const [first] = tables;
  const id = first?.solution ?? solution;
  const queryTables = (query: object = {}, caller: Caller = owner) =>
    system.callAs(caller, querySolution, { params: { id }, query });
  return { owner, id, tables, queryTables };
};

const WEB: Draft = {
  name: 'web',
  columns: [
    ['host', 'text'],
    ['port', 'bigint'],
  ],
  rows: [
    ['a', '443'],
    ['c', '80'],
    ['e', null],
  ],
};
const DNS: Draft = {
  name: "dns 'n' more",
  columns: [
    ['host', 'text'],
    ['port', 'text'],
    ['address', 'inet'],
  ],
  rows: [
    ['b', '53', '10.0.0.9'],
    ['d', 'any', '9.9.9.9'],
    ['a', null, null],
  ],
};

const named = (results: unknown[], name = 'host') => results.map((row) => (row as Record<string, unknown>)[name]);

describe('several tables of a solution', () => {
  it('are queried as one, with all their columns and the table name of each row', async () => {
    const { queryTables } = await seed([WEB, DNS]);
    const { results, columns, count, cursor } = await queryTables();
    expect(columns).toEqual([
      ...[
        { name: 'host', type: 'text' },
        { name: 'port', type: 'text' },
        { name: 'address', type: 'inet' },
      ],
      ...['_row', '_first_seen', '_run', '_subjob'].map((name) => expect.objectContaining({ name })),
      { name: '_dataset', type: 'text' },
    ]);
    expect(results[0]).toMatchObject({ host: 'a', port: '443', address: null, _row: 1, _dataset: 'web' });
    expect(results[4]).toMatchObject({ host: 'd', port: 'any', address: '9.9.9.9', _dataset: "dns 'n' more" });
    expect({ count, cursor, hosts: named(results) }).toEqual({ count: 6, cursor: null, hosts: [...'acebda'] });
  });

  it('are filtered and ordered together, and a column that a table does not have is null there', async () => {
    const { queryTables } = await seed([WEB, DNS]);
    const hosts = async (query: object) => named((await queryTables(query)).results).join('');
    expect(await hosts({ order: 'host' })).toBe('aabcde');
    expect(await hosts({ order: '-host' })).toBe('edcbaa');
    expect(await hosts({ order: 'address,-host' })).toBe('dbecaa');
    expect(await hosts({ order: 'port,host' })).toBe('abcdae');
    expect(await hosts({ q: 'address = null', order: 'host' })).toBe('aace');
    expect(await hosts({ q: 'address = 10.0.0.0/8' })).toBe('b');
    expect(await hosts({ q: '_dataset = web AND port != null', order: '-host' })).toBe('ca');
    expect(await hosts({ order: '-_dataset,host' })).toBe('aceabd');
    expect(await hosts({ order: '_row,host' })).toHaveLength(6);
  });

  it('can be selected by name or id', async () => {
    const { queryTables, tables } = await seed([WEB, DNS, { ...WEB, name: 'third' }]);
    const queriedNames = async (dataset: string) =>
      new Set(named((await queryTables({ dataset })).results, '_dataset'));
    expect(await queriedNames('web')).toEqual(new Set(['web']));
    expect(await queriedNames(`third , ${tables[1]?.id}`)).toEqual(new Set(['third', "dns 'n' more"]));
    expect((await queriedNames('')).size).toBe(3);
    for (const dataset of ['none', 'WEB', newId(), "x' OR 1=1"]) {
      await expect(queryTables({ dataset })).rejects.toMatchObject({
        details: { 'query.dataset': expect.any(String) },
      });
    }
  });

  it('refuse invalid queries and cursors of other queries, like a single table', async () => {
    const { queryTables } = await seed([WEB, DNS]);
    await expect(queryTables({ q: 'hots = a' })).rejects.toMatchObject({
      details: { 'query.q': expect.any(String), position: 0 },
    });
    await expect(queryTables({ order: 'hots' })).rejects.toMatchObject({
      details: { 'query.order': expect.any(String) },
    });
    await expect(queryTables({ q: 'host ~ "("' })).rejects.toMatchObject({
      details: { 'query.q': expect.any(String) },
    });
    const { cursor } = await queryTables({ page_size: 2, order: 'host' });
    for (const wrong of [{ order: '-host', cursor }, { order: 'host', dataset: 'web', cursor }, { cursor: 'x' }]) {
      await expect(queryTables({ page_size: 2, ...wrong })).rejects.toMatchObject({
        details: { 'query.cursor': expect.any(String) },
      });
    }
    for (const table of ['7', '9999', '-1', '']) {
      const wrong = cursor?.replace(/^\d+/, table);
      await expect(queryTables({ order: 'host', cursor: wrong })).rejects.toMatchObject({ code: 'validation_error' });
    }
  });

  it('can have any column names, including those of system columns', async () => {
    const names = ['__proto__', '_dataset', '_row', 'constructor', 'select', 'ä'.repeat(200)];
    const columns = names.map((name): [string, ColumnType] => [name, 'text']);
    const unusual = { name: '__proto__', columns, rows: [names] };
    const { queryTables } = await seed([unusual, WEB]);
    const { results } = await queryTables({ order: '_row,host' });
    const row = JSON.parse(JSON.stringify(results)) as Record<string, unknown>[];
    const first = row.find((one) => Object.hasOwn(one, '__proto__') && one['constructor'] === 'constructor');
    for (const name of names)
      expect([name, Object.entries(first ?? {})]).toEqual([name, expect.arrayContaining([[name, name]])]);
    expect(first).toMatchObject({ __dataset: '__proto__', __row: 1 });
    expect(await pageThrough(queryTables, { order: '_row', page_size: 1 })).toHaveLength(4);
  });

  it('are read in smaller pages if their rows are large', async () => {
    const large: Draft = { name: 'large', columns: [['host', 'text']], rows: [] };
    const { queryTables, tables } = await seed([large, { ...large, name: 'larger' }]);
    for (const { number } of tables) {
      await system.database.query(
        `INSERT INTO live.d_${number} (_s, _f, c1) SELECT 0, 1, n || repeat('x', 900000) FROM generate_series(1, 7) n`,
      );
    }
    for (const order of ['', '_row', '-_row']) {
      const hosts = named(await pageThrough(queryTables, { order })).map((host) => String(host).slice(0, 1));
      const expected = order === '' ? '12345671234567' : '11223344556677';
      expect(hosts.join('')).toBe(order === '-_row' ? [...expected].toReversed().join('') : expected);
    }
  });

  it('are visible only to users who may query them', async () => {
    const { owner, tables, queryTables } = await seed([WEB]);
    expect((await queryTables({}, memberCaller(owner, { [tables[0]?.space ?? '']: 'insights' }))).count).toBe(3);
    for (const outsider of [memberCaller(owner, {}), ownerCaller()]) {
      await expect(queryTables({}, outsider)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

type QueryTables = Awaited<ReturnType<typeof seed>>['queryTables'];

/** All rows, page by page. */
async function pageThrough(queryTables: QueryTables, query: object): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    if (all.length > 100) throw new Error('The pages have no end');
    const page = await queryTables({ ...query, ...(cursor !== undefined && { cursor }) });
    all.push(...page.results);
    cursor = page.cursor;
  }
  return all;
}

const VALUES: Record<'text' | 'bigint' | 'double' | 'inet' | 'json' | 'timestamp', string[]> = {
  text: ['a', 'B', 'b', 'ä', '', '10', '9'],
  bigint: ['1', '-5', '10', '9007199254740993'],
  double: ['0.5', '-1e300', '10'],
  inet: ['10.0.0.1', '9.0.0.0/8', '::1', '10.0.0.0/8'],
  json: ['1', '"1"', '[1]', '{"a": 1}', 'null', 'true', '{"a": [2], "b": 1}'],
  timestamp: ['2024-01-01T00:00:00Z', '2023-06-01T12:00:00.000001Z'],
};
const types = fc.constantFrom(...(Object.keys(VALUES) as (keyof typeof VALUES)[]));

const randomDraft = (name: string) =>
  fc.tuple(types, types).chain(([x, y]) =>
    fc.record({
      name: fc.constant(name),
      columns: fc.constant<Columns>([
        ['x', x],
        ['y', y],
      ]),
      rows: fc.array(fc.tuple(fc.option(fc.constantFrom(...VALUES[x])), fc.option(fc.constantFrom(...VALUES[y]))), {
        maxLength: 6,
      }),
    }),
  );

const placesOf = (rows: unknown[]): string[] =>
  rows.map((row) => JSON.stringify([...named([row], '_dataset'), ...named([row], '_row')]));

it('pages over several tables return every row once, in one order', async () => {
  const orders = fc.constantFrom(
    '',
    'x',
    '-x',
    'x,-y',
    '-y,x',
    '_row',
    '-_row,x',
    'y,_row,x',
    '-_dataset,x',
    'x,_dataset',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(randomDraft('one'), randomDraft('two'), randomDraft('three')),
      fc.record({ order: orders, page_size: fc.integer({ min: 1, max: 7 }) }),
      async (drafts, query) => {
        const { queryTables } = await seed(drafts);
        const whole = (await queryTables({ ...query, page_size: 1000 })).results;
        expect(whole).toHaveLength(drafts.flatMap(({ rows }) => rows).length);
        const places = placesOf(whole);
        expect(new Set(places).size).toBe(whole.length);
        expect(placesOf(await pageThrough(queryTables, query))).toEqual(places);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});
