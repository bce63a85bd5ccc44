import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import {
  clearDataset,
  createDataset,
  deleteDataset,
  getDataset,
  listDatasets,
  updateDataset,
} from '@millrace/contracts/datasets/datasets';
import { queryRows } from '@millrace/contracts/datasets/rows';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { seedDataset, type SeededDataset } from '../testing/seed-dataset.js';

let system: SystemWithStore;
beforeAll(async () => void (system = await startWithStore([start])));
afterAll(() => system.close());

const seed = (owner: Caller, options: Partial<Parameters<typeof seedDataset>[2]> = {}) =>
  seedDataset(system.database, owner, { columns: [['host', 'text']], ...options });

const tables = async (number: number) =>
  (
    await system.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'live'::regnamespace AND relkind = 'r'
       AND relname IN ('d_' || $1, 'd_' || $1 || '_changes') ORDER BY 1`,
      [number],
    )
  ).map(({ name }) => name);

const fill = ({ id, number }: SeededDataset, rows: number) =>
  Promise.all([
    system.database.query(
      `INSERT INTO live.d_${number} (_s, _f, c1) SELECT 0, 1, 'host ' || n FROM generate_series(1, ${rows}) n`,
    ),
    system.database.query('UPDATE datasets.dataset SET rows = $2, revision = revision + 1 WHERE id = $1', [id, rows]),
  ]);

describe('a Live Table', () => {
  it('has everything it was created with, including the exact column names', async () => {
    const owner = ownerCaller();
    const { solution, space } = await seed(owner);
    const names = [
      '__proto__',
      'constructor',
      'select',
      '_id',
      '_row',
      ' ',
      'ключ ☃',
      'Host',
      'host',
      'x'.repeat(1000),
    ];
    const made = await system.callAs(owner, createDataset, {
      body: {
        name: 'Hosts',
        description: 'All of them',
        solution,
        primary_key: ['ключ ☃', 'new key'],
        columns: names.map((name) => ({ name, type: 'text' as const })),
      },
    });
    expect(made).toMatchObject({ name: 'Hosts', description: 'All of them', solution, space, vault: owner.vault });
    expect(made).toMatchObject({
      primary_key: ['ключ ☃', 'new key'],
      row_count: 0,
      rejected_count: 0,
      author: owner.user,
    });
    expect(made).not.toHaveProperty('loaded_date');
    const columns = made.columns ?? [];
    expect(columns.map(({ name }) => name)).toEqual([
      ...[...names, 'new key'],
      ...['__row', '_first_seen', '_last_seen', '_run', '_subjob', '_state'],
    ]);
    expect(columns.map(({ position }) => position)).toEqual(columns.map((_, at) => at + 1));
    expect(await system.callAs(owner, getDataset, { params: { id: made.id } })).toEqual(made);
    const page = await system.callAs(owner, queryRows, { params: { id: made.id } });
    expect(page).toMatchObject({ results: [], count: 0, cursor: null });
  });

  it('is refused with a repeated column or key, and in a solution that does not exist', async () => {
    const owner = ownerCaller();
    const { solution } = await seed(owner);
    const columns = ['a', 'b', 'a'].map((name) => ({ name, type: 'text' as const }));
    const create = (body: object) =>
      system.callAs(owner, createDataset, { body: { name: 'x', solution, ...body } }).then(
        () => 'made',
        (error: { code: string; details?: object }) => Object.keys(error.details ?? { [error.code]: 1 }),
      );
    expect(await create({ columns })).toEqual(['body.columns']);
    expect(await create({ primary_key: ['a', 'a'] })).toEqual(['body.primary_key']);
    expect(await create({ solution: newId() })).toEqual(['not_found']);
    expect(await create({ solution: 'x' })).toEqual(['not_found']);
  });

  it('is listed by solution, space and part of its name to users who may query it', async () => {
    const owner = ownerCaller();
    const one = await seed(owner, { name: 'Alpha' });
    const other = await seed(owner, { name: 'Beta' });
    const list = async (query: object, caller = owner) =>
      (await system.callAs(caller, listDatasets, { query })).results.map(({ id }) => id);
    expect(await list({ ordering: 'name' })).toEqual([one.id, other.id]);
    expect(await list({ solution: one.solution })).toEqual([one.id]);
    expect(await list({ solution: JSON.stringify({ id: one.solution }) })).toEqual([one.id]);
    expect(await list({ 'solution[id]': one.solution })).toEqual([one.id]);
    expect(await list({ solution: 'unknown' })).toEqual([]);
    expect(await list({ space: other.space })).toEqual([other.id]);
    expect(await list({ search: 'LPH' })).toEqual([one.id]);
    expect(await list({ ordering: '-row_count', page_size: 1 })).toHaveLength(1);
    expect(await list({}, memberCaller(owner, { [one.space]: 'insights' }))).toEqual([one.id]);
    expect(await list({}, memberCaller(owner, {}))).toEqual([]);
    await system.database.query('UPDATE datasets.solution SET is_public = true WHERE id = $1', [other.solution]);
    expect(await list({}, memberCaller(owner, {}))).toEqual([other.id]);
    expect(await list({}, ownerCaller())).toEqual([]);
  });

  it('can be queried with the role insights and changed only with write or a higher role', async () => {
    const owner = ownerCaller();
    const table = await seed(owner);
    const params = { id: table.id };
    const insights = memberCaller(owner, { [table.space]: 'insights' });
    expect(await system.callAs(insights, getDataset, { params })).toMatchObject({ id: table.id });
    expect(await system.callAs(insights, queryRows, { params })).toMatchObject({ results: [] });
    const forbidden = { code: 'forbidden' };
    for (const role of ['insights', 'execute'] as const) {
      const caller = memberCaller(owner, { [table.space]: role });
      await expect(system.callAs(caller, updateDataset, { params, body: { name: 'x' } })).rejects.toMatchObject(
        forbidden,
      );
      await expect(system.callAs(caller, clearDataset, { params })).rejects.toMatchObject(forbidden);
      await expect(system.callAs(caller, deleteDataset, { params })).rejects.toMatchObject(forbidden);
      const body = { name: 'x', solution: table.solution };
      await expect(system.callAs(caller, createDataset, { body })).rejects.toMatchObject(forbidden);
    }
  });

  it('can change its primary key only while it has no rows', async () => {
    const owner = ownerCaller();
    const table = await seed(owner);
    const params = { id: table.id };
    const change = (body: object) => system.callAs(owner, updateDataset, { params, body });
    const changed = await change({ primary_key: ['port', 'host'], name: 'Ports', description: 'd' });
    expect(changed).toMatchObject({ primary_key: ['port', 'host'], name: 'Ports', description: 'd' });
    const [{ number }] = (await system.database.query('SELECT number FROM datasets.dataset WHERE id = $1', [
      table.id,
    ])) as [{ number: number }];
    await system.database.query(`INSERT INTO live.d_${number} (_s, _f, c1, c2) VALUES (0, 1, 'a', '1')`);
    await expect(
      system.database.query(`INSERT INTO live.d_${number} (_s, _f, c1, c2) VALUES (0, 1, 'a', '1')`),
    ).rejects.toThrow(/d_\d+_key/);
    await system.database.query('UPDATE datasets.dataset SET rows = 1 WHERE id = $1', [table.id]);
    const details = { 'body.primary_key': expect.stringContaining('no rows') };
    await expect(change({ primary_key: [] })).rejects.toMatchObject({ code: 'validation_error', details });
    expect(await change({ name: 'Other', description: '' })).not.toHaveProperty('description');
  });
});

describe('a cleared Live Table', () => {
  it('has its columns and next row number, and no rows, changes, generations or rejected rows', async () => {
    const owner = ownerCaller();
    const table = await seed(owner, { key: ['host'] });
    await fill(table, 3);
    const query = (sql: string, values?: unknown[]) => system.database.query<{ number: number }>(sql, values);
    await query('INSERT INTO datasets.source (dataset_id, number, latest, complete) VALUES ($1, 1, 5, 5)', [table.id]);
    await query(
      `INSERT INTO datasets.generation (dataset_id, number, source, complete, created, changed, unchanged, gone)
       VALUES ($1, 5, 1, true, 3, 0, 0, 0)`,
      [table.id],
    );
    const params = { id: table.id };
    const before = await system.callAs(owner, getDataset, { params });
    const cleared = await system.callAs(owner, clearDataset, { params });
    expect(cleared).toEqual({ ...before, row_count: 0, modified_date: cleared.modified_date });
    expect(await system.callAs(owner, queryRows, { params })).toMatchObject({ results: [], count: 0 });
    expect(await query('SELECT latest, complete FROM datasets.source WHERE dataset_id = $1', [table.id])).toEqual([
      { latest: null, complete: null },
    ]);
    expect(await query('SELECT 1 FROM datasets.generation WHERE dataset_id = $1', [table.id])).toEqual([]);
    const [now] = await query('SELECT number FROM datasets.dataset WHERE id = $1', [table.id]);
    await fill({ ...table, number: now?.number ?? 0 }, 1);
    const page = await system.callAs(owner, queryRows, { params, query: { select: '_row' } });
    expect(page.results).toEqual([{ _row: 4 }]);
    await eventually(async () => expect(await tables(table.number)).toEqual([]));
  });

  it('does not wait for readers, and readers finish', async () => {
    const owner = ownerCaller();
    const table = await seed(owner);
    await fill(table, 3);
    const reader = new Client({ connectionString: system.database.url });
    await reader.connect();
    try {
      await reader.query(`BEGIN; SELECT * FROM live.d_${table.number}`);
      expect(await system.callAs(owner, clearDataset, { params: { id: table.id } })).toMatchObject({ row_count: 0 });
      expect((await reader.query(`SELECT * FROM live.d_${table.number}`)).rowCount).toBe(3);
    } finally {
      await reader.end();
    }
  });

  it('is refused if a load locks it for longer than the lock timeout', async () => {
    const owner = ownerCaller();
    const table = await seed(owner);
    const merge = new Client({ connectionString: system.database.url });
    await merge.connect();
    try {
      await merge.query('BEGIN');
      await merge.query('SELECT 1 FROM datasets.dataset WHERE id = $1 FOR NO KEY UPDATE', [table.id]);
      const cleared = system.callAs(owner, clearDataset, { params: { id: table.id } });
      await expect(cleared).rejects.toMatchObject({ code: 'rate_limited', details: { retry_after: 5 } });
    } finally {
      await merge.end();
    }
    expect(await system.callAs(owner, clearDataset, { params: { id: table.id } })).toMatchObject({ row_count: 0 });
  });
});

describe('a deleted Live Table', () => {
  it('is not found immediately, and its physical tables are dropped soon after', async () => {
    const owner = ownerCaller();
    const table = await seed(owner);
    await fill(table, 10);
    const params = { id: table.id };
    expect(await system.callAs(owner, deleteDataset, { params })).toBeNull();
    await expect(system.callAs(owner, getDataset, { params })).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.callAs(owner, queryRows, { params })).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.callAs(owner, deleteDataset, { params })).rejects.toMatchObject({ code: 'not_found' });
    await eventually(async () => expect(await tables(table.number)).toEqual([]));
  });

  it('cancels a load that locks it instead of waiting', async () => {
    const owner = ownerCaller();
    const table = await seed(owner);
    // As the service, because a role may not end the work of others.
    const merge = new Client({ connectionString: system.database.logins['DATABASE_URL_DATASETS'] });
    await merge.connect();
    try {
      await merge.query('BEGIN');
      await merge.query('SELECT 1 FROM datasets.dataset WHERE id = $1 FOR NO KEY UPDATE', [table.id]);
      const merging = merge.query('SELECT pg_sleep(60)').then(
        () => 'done',
        (error: Error) => error.message,
      );
      const deleted = system.callAs(owner, deleteDataset, { params: { id: table.id } });
      expect(await merging).toMatch(/cancel/);
      await merge.query('ROLLBACK');
      expect(await deleted).toBeNull();
    } finally {
      await merge.end();
    }
  });

  it('makes running queries on it either return rows or fail with not_found', async () => {
    const owner = ownerCaller();
    const table = await seed(owner);
    await fill(table, 20_000);
    const params = { id: table.id };
    const queries = Array.from({ length: 10 }, () => ownerCaller({ vault: owner.vault })).map((caller) =>
      system.callAs(caller, queryRows, { params, query: { q: 'host ~ "(1|2)+9$"', order: '-host' } }).then(
        ({ results }) => results.length,
        (error: { code: string }) => error.code,
      ),
    );
    expect(await system.callAs(owner, deleteDataset, { params })).toBeNull();
    for (const outcome of await Promise.all(queries)) expect([200, 'not_found']).toContain(outcome);
    await eventually(async () => expect(await tables(table.number)).toEqual([]));
  });
});
