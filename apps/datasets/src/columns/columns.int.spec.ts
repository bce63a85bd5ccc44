import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteColumn, listColumns, listValues, updateColumn } from '@millrace/contracts/datasets/columns';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { queryRows } from '@millrace/contracts/datasets/rows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertRows, seedDataset } from '../testing/seed-dataset.js';

let system: SystemWithStore;
beforeAll(async () => void (system = await startWithStore([start])));
afterAll(() => system.close());

async function seeded(columns: [string, ColumnType][], key: string[] = []) {
  const owner = ownerCaller();
  const table = await seedDataset(system.database, owner, { columns, key });
  const params = { id: table.id };
  const of = (name: string) => ({ id: table.id, name });
  return {
    owner,
    table,
    insert: (select: string) => insertRows(system.database, table, columns.length, select),
    names: async () =>
      (await system.callAs(owner, listColumns, { params })).results
        .filter(({ system }) => !system)
        .map(({ name }) => name),
    update: (name: string, body: object) => system.callAs(owner, updateColumn, { params: of(name), body }),
    drop: (name: string) => system.callAs(owner, deleteColumn, { params: of(name) }),
    values: (name: string, query: object = {}) => system.callAs(owner, listValues, { params: of(name), query }),
    rows: async (query: object = {}) => (await system.callAs(owner, queryRows, { params, query })).results,
  };
}

describe('a column', () => {
  it('has its new name immediately, also in queries, and keeps its values', async () => {
    const { insert, update, rows, names } = await seeded([
      ['a', 'text'],
      ['b', 'text'],
    ]);
    await insert(`'one', 'two'`);
    expect(await update('a', { name: '__proto__' })).toEqual({
      name: '__proto__',
      type: 'text',
      primary_key: false,
      system: false,
      position: 1,
    });
    expect(await names()).toEqual(['__proto__', 'b']);
    expect(JSON.stringify(await rows({ select: '`__proto__`', q: "`__proto__` = 'one'" }))).toBe(
      '[{"__proto__":"one"}]',
    );
    await expect(rows({ q: "a = 'one'" })).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('cannot get the name of another column, and is not found under an unknown name', async () => {
    const { update, drop } = await seeded([
      ['a', 'text'],
      ['b', 'text'],
    ]);
    await expect(update('a', { name: 'b' })).rejects.toMatchObject({ details: { 'body.name': expect.any(String) } });
    for (const name of ['c', '_row', 'A']) {
      await expect(update(name, { name: 'd' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(drop(name)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('is deleted with its values, unless it belongs to the primary key', async () => {
    const { insert, drop, names, rows, table } = await seeded(
      [
        ['a', 'text'],
        ['b', 'text'],
      ],
      ['a'],
    );
    await insert(`'one', 'two'`);
    expect(await drop('b')).toBeNull();
    expect(await names()).toEqual(['a']);
    expect(Object.keys((await rows())[0] as object)).not.toContain('b');
    await expect(drop('a')).rejects.toMatchObject({ details: { 'params.name': expect.any(String) } });
    const physical = () =>
      system.database.query(
        `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attname ~ '^c' AND NOT attisdropped AND attnum > 0`,
        [`live.d_${table.number}`],
      );
    await eventually(async () => expect(await physical()).toEqual([{ attname: 'c1' }]));
  });

  it('does not become json if a value is nested too deeply', async () => {
    const { insert, update, rows } = await seeded([['a', 'text']]);
    await insert(`repeat('[', 50000) || repeat(']', 50000)`);
    await expect(update('a', { type: 'json' })).rejects.toMatchObject({
      details: { 'body.type': expect.stringContaining('nested too deeply for json') },
    });
    expect(await rows({ select: 'a' })).toEqual([{ a: '['.repeat(50_000) + ']'.repeat(50_000) }]);
  });

  it('can be changed only by users who may edit', async () => {
    const { owner, table } = await seeded([['a', 'text']]);
    const insights = memberCaller(owner, { [table.space]: 'insights' });
    const params = { id: table.id, name: 'a' };
    expect((await system.callAs(insights, listValues, { params })).results).toEqual([]);
    for (const [operation, body] of [
      [updateColumn, { name: 'b' }],
      [deleteColumn, {}],
    ] as const) {
      await expect(system.callAs(insights, operation, { params, body })).rejects.toMatchObject({ code: 'forbidden' });
      await expect(system.callAs(ownerCaller(), operation, { params, body })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });
});

/** Former type, value as SQL, new type, expected value. */
const FITTING: [ColumnType, string, ColumnType, unknown][] = [
  ['text', `'12'`, 'bigint', 12],
  ['text', `' -7 '`, 'bigint', -7],
  ['text', `'1.50'`, 'double', 1.5],
  ['text', `'2026-01-02T03:04:05+02:00'`, 'timestamp', '2026-01-02T01:04:05.000Z'],
  ['text', `'2026-01-02'`, 'timestamp', '2026-01-02T00:00:00.000Z'],
  ['text', `'2001:db8::/32'`, 'inet', '2001:db8::/32'],
  ['text', `'true'`, 'boolean', true],
  ['text', `'{"a": [1]}'`, 'json', { a: [1] }],
  ['bigint', '5', 'double', 5],
  ['bigint', '5', 'text', '5'],
  ['bigint', '5', 'json', 5],
  ['double', '5', 'bigint', 5],
  ['boolean', 'false', 'text', 'false'],
  ['boolean', 'false', 'json', false],
  ['timestamp', `'2026-01-02T03:04:05.6Z'`, 'text', '2026-01-02T03:04:05.600Z'],
  ['inet', `'10.0.0.1'`, 'text', '10.0.0.1'],
  ['json', `'"x"'`, 'text', 'x'],
  ['json', `'[1]'`, 'text', '[1]'],
  ['json', `'7'`, 'bigint', 7],
  ['uuid', `'0198c0de-0000-7000-8000-000000000001'`, 'json', '0198c0de-0000-7000-8000-000000000001'],
];

const UNFIT: [ColumnType, string, ColumnType][] = [
  ['text', `'1.5'`, 'bigint'],
  ['text', `'0x1F'`, 'bigint'],
  ['text', `'9223372036854775808'`, 'bigint'],
  ['text', `'NaN'`, 'double'],
  ['text', `'1e999'`, 'double'],
  ['text', `'yesterday'`, 'timestamp'],
  ['text', `'2026-13-01'`, 'timestamp'],
  ['text', `'10.0.0.256'`, 'inet'],
  ['text', `'{'`, 'json'],
  ['text', `''`, 'bigint'],
  ['double', '1.5', 'bigint'],
  ['double', '1e300', 'bigint'],
  ['bigint', '9007199254740993', 'double'],
  ['json', `'[1]'`, 'bigint'],
  ['inet', `'10.0.0.1'`, 'uuid'],
];

describe('the type of a column', () => {
  it.each(FITTING)('%s %s becomes %s', async (from, value, to, expected) => {
    const { insert, update, rows } = await seeded([['a', from]]);
    await insert(value);
    await insert('NULL');
    expect(await update('a', { type: to })).toMatchObject({ type: to });
    expect(await rows({ select: 'a' })).toEqual([{ a: expected }, { a: null }]);
  });

  it.each(UNFIT)('of %s does not change if %s does not fit %s', async (from, value, to) => {
    const { insert, update, rows } = await seeded([['a', from]]);
    await insert(value);
    const before = await rows();
    await expect(update('a', { type: to, name: 'b' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.type': expect.any(String), values: [expect.any(String)] },
    });
    expect(await rows()).toEqual(before);
  });

  it('does not change if two rows would have the same key', async () => {
    const { insert, update, rows } = await seeded([['a', 'text']], ['a']);
    await insert(`v FROM (VALUES ('1'), ('01')) AS t(v)`);
    await expect(update('a', { type: 'bigint' })).rejects.toMatchObject({
      details: { 'body.type': expect.stringContaining('primary key') },
    });
    expect(await rows({ select: 'a', order: 'a' })).toEqual([{ a: '01' }, { a: '1' }]);
  });

  it('does not change if values do not fit, and the error shows ten of them', async () => {
    const { insert, update } = await seeded([['a', 'text']]);
    await insert(`'x' || n FROM generate_series(1, 50) n`);
    const failure = (await update('a', { type: 'bigint' }).catch((error: unknown) => error)) as {
      details: { values: [] };
    };
    expect(failure.details.values).toHaveLength(10);
  });
});

describe('the values of a column', () => {
  it('are listed with their frequencies, the most frequent first', async () => {
    const { insert, values } = await seeded([['a', 'text']]);
    await insert(`v FROM (VALUES ('x'), ('x'), ('Yx'), (NULL), (NULL), (NULL)) AS t(v)`);
    expect(await values('a')).toEqual({
      results: [
        { value: null, rows: 3 },
        { value: 'x', rows: 2 },
        { value: 'Yx', rows: 1 },
      ],
      more: false,
    });
    expect(await values('a', { limit: 1 })).toEqual({ results: [{ value: null, rows: 3 }], more: true });
    expect((await values('a', { search: 'y' })).results).toEqual([{ value: 'Yx', rows: 1 }]);
    expect((await values('a', { search: '.*' })).results).toEqual([]);
    expect((await values('a', { q: 'a IS NOT NULL' })).results).toHaveLength(2);
    expect((await values('_row', { limit: 1 })).results).toEqual([{ value: 1, rows: 1 }]);
    await expect(values('b')).rejects.toMatchObject({ code: 'not_found' });
    await expect(values('a', { q: 'b = 1' })).rejects.toMatchObject({ details: { 'query.q': expect.any(String) } });
  });
});
