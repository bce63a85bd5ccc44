import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateColumn } from '@millrace/contracts/datasets/columns';
import {
  aggregateRows,
  deleteRows,
  getRow,
  getQueryHelp,
  listChanges,
  queryRows,
} from '@millrace/contracts/datasets/rows';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertRows, seedDataset } from '../testing/seed-dataset.js';

let system: SystemWithStore;
beforeAll(async () => void (system = await startWithStore([start])));
afterAll(() => system.close());

const FIRST = Date.UTC(2026, 0, 1);
const SECOND = Date.UTC(2026, 0, 2);
const [VERSION, OUTPUT, WORKFLOW] = [newId(), newId(), newId()];

/** A table after two runs: the second left a unchanged, changed b, did not bring c, and added d. */
async function seedTwoRuns() {
  const owner = ownerCaller();
  const table = await seedDataset(system.database, owner, {
    columns: [
      ['host', 'text'],
      ['n', 'bigint'],
    ],
    key: ['host'],
  });
  const { id, number } = table;
  const query = (sql: string, values: unknown[] = []) => system.database.query<{ id: string }>(sql, values);
  await query(
    `INSERT INTO live.d_${number} (_s, _f, _c, _l, _g, _j, c1, c2) VALUES
     (1, ${FIRST}, NULL, NULL, NULL, 11, 'a', 1), (1, ${FIRST}, ${SECOND}, NULL, NULL, 22, 'b', 3),
     (1, ${FIRST}, NULL, ${FIRST}, ${SECOND}, 11, 'c', 3), (1, ${SECOND}, NULL, NULL, NULL, 22, 'd', 9007199254740993)`,
  );
  await query(
    `INSERT INTO live.d_${number}_changes (generation, row_id, kind, before, after) VALUES
     (${SECOND}, 2, 'changed', '{"c1": "b", "c2": 2, "c9": "dropped"}', '{"c1": "b", "c2": 9007199254740993}'),
     (${SECOND}, 3, 'gone', '{"c1": "c", "c2": 3}', NULL)`,
  );
  await query('INSERT INTO datasets.source (dataset_id, number, latest, complete) VALUES ($1, 1, $2, $2)', [
    id,
    SECOND,
  ]);
  for (const [at, run, counts] of [
    [FIRST, 501, [3, 0, 0, 0]],
    [SECOND, 502, [1, 1, 1, 1]],
  ] as const) {
    const [load] = await query(
      `INSERT INTO datasets.load (dataset_id, vault_id, source, run_id, node, output_name, status)
       VALUES ($1, $2, 1, $3, 'scan-1', 'out.json', 'COMPLETED') RETURNING id`,
      [id, owner.vault, run],
    );
    await query(
      `INSERT INTO datasets.load_part (load_id, output_id, subjob_id, batch, sha256, size, status)
       VALUES ($1, $2, $3, 1, 'x', 1, 'READ')`,
      [load?.id, run === 502 ? OUTPUT : newId(), run === 502 ? 22 : 11],
    );
    await query(
      `INSERT INTO datasets.generation (dataset_id, number, source, load_id, run_id, workflow_id, version_id, node, complete,
         created, changed, unchanged, gone) VALUES ($1, $2, 1, $3, $4, $5, $6, 'scan-1', true, $7, $8, $9, $10)`,
      [id, at, load?.id, run, WORKFLOW, VERSION, ...counts],
    );
  }
  await query('UPDATE datasets.dataset SET rows = 4, revision = revision + 1 WHERE id = $1', [id]);
  const params = { id };
  return {
    owner,
    table,
    rows: async (query: object) => (await system.callAs(owner, queryRows, { params, query })).results,
    row: (row: string) => system.callAs(owner, getRow, { params: { id, row } }),
    changes: (query: object = {}) => system.callAs(owner, listChanges, { params, query }),
  };
}

describe('a row', () => {
  it('has its state and the run that saw it last', async () => {
    const { rows } = await seedTwoRuns();
    expect(await rows({ select: 'host,_state,_run,_last_seen', order: 'host' })).toEqual([
      { host: 'a', _state: 'unchanged', _run: 502, _last_seen: '2026-01-02T00:00:00.000Z' },
      { host: 'b', _state: 'changed', _run: 502, _last_seen: '2026-01-02T00:00:00.000Z' },
      { host: 'c', _state: 'gone', _run: 501, _last_seen: '2026-01-01T00:00:00.000Z' },
      { host: 'd', _state: 'new', _run: 502, _last_seen: '2026-01-02T00:00:00.000Z' },
    ]);
    expect(await rows({ q: '_state = new AND _run = 502', select: 'host' })).toEqual([{ host: 'd' }]);
    expect(await rows({ q: '_subjob = 11', select: 'host', order: 'host' })).toEqual([{ host: 'a' }, { host: 'c' }]);
  });

  it('has the run, subjob, output and workflow version that it comes from', async () => {
    const { row } = await seedTwoRuns();
    const scan = { workflow: WORKFLOW, version: VERSION, node: 'scan-1', load: expect.stringMatching(/^\d+$/) };
    const second = { at: '2026-01-02T00:00:00.000Z', run: '502', ...scan };
    const first = { at: '2026-01-01T00:00:00.000Z', run: '501', ...scan };
    expect(await row('2')).toEqual({
      row: expect.objectContaining({ host: 'b', n: 3, _row: 2 }),
      first_seen: first,
      last_changed: { ...second, subjob: '22', output: OUTPUT },
      last_seen: second,
    });
    expect(await row('3')).toMatchObject({ first_seen: { ...first, subjob: '11' }, last_seen: first, gone: second });
    for (const missing of ['5', '0', '999999999999999999']) {
      await expect(row(missing)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('the changes of a run', () => {
  it('are its new rows, its changed rows before and after, and the rows that are gone', async () => {
    const { changes } = await seedTwoRuns();
    const second = {
      results: [
        { kind: 'new', row: 4, after: { host: 'd', n: '9007199254740993' } },
        { kind: 'changed', row: 2, before: { host: 'b', n: 2 }, after: { host: 'b', n: '9007199254740993' } },
        { kind: 'gone', row: 3, before: { host: 'c', n: 3 } },
      ],
      run: '502',
      at: '2026-01-02T00:00:00.000Z',
      counts: { new: 1, changed: 1, gone: 1 },
      cursor: null,
    };
    expect(await changes()).toEqual(second);
    expect(await changes({ run: '502' })).toEqual(second);
    expect(await changes({ kind: 'gone' })).toMatchObject({ results: second.results.slice(2), counts: second.counts });
    const first = await changes({ run: '501' });
    expect(first.results.map(({ kind, row }) => [kind, row])).toEqual([
      ['new', 1],
      ['new', 2],
      ['new', 3],
    ]);
  });

  it('are returned once each when a client pages', async () => {
    const { changes } = await seedTwoRuns();
    for (const run of ['501', '502']) {
      const whole = (await changes({ run })).results;
      const paged: unknown[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Awaited<ReturnType<typeof changes>> = await changes({
          run,
          page_size: 1,
          ...(cursor && { cursor }),
        });
        paged.push(...page.results);
        cursor = page.cursor;
      }
      expect(paged).toEqual(whole);
    }
  });

  it('have the current names of columns', async () => {
    const { owner, table, changes } = await seedTwoRuns();
    await system.callAs(owner, updateColumn, { params: { id: table.id, name: 'n' }, body: { name: '__proto__' } });
    const { results } = await changes({ kind: 'gone' });
    expect(JSON.stringify(results[0]?.before)).toBe('{"host":"c","__proto__":3}');
  });

  it('are refused for a run that did not load the table and for the cursor of another list', async () => {
    const { owner, table, changes } = await seedTwoRuns();
    for (const run of ['1', 'x']) {
      const message = `Live Table ${table.id} has no changes of run ${run}.`;
      await expect(changes({ run })).rejects.toMatchObject({ code: 'not_found', message });
    }
    for (const cursor of ['x', 'new.1.1', `new.${FIRST}.1`]) {
      await expect(changes({ cursor })).rejects.toMatchObject({ details: { 'query.cursor': expect.any(String) } });
    }
    const empty = await seedDataset(system.database, owner, { columns: [['a', 'text']] });
    expect(await system.callAs(owner, listChanges, { params: { id: empty.id } })).toEqual({
      results: [],
      counts: { new: 0, changed: 0, gone: 0 },
      cursor: null,
    });
  });
});

describe('a deletion by condition', () => {
  it('deletes the matching rows and no others', async () => {
    const { owner, table, rows, changes } = await seedTwoRuns();
    const params = { id: table.id };
    const deleteWhere = (q: string, caller = owner) => system.callAs(caller, deleteRows, { params, query: { q } });
    expect(await deleteWhere('_state = gone OR n > 1000')).toEqual({ deleted: 2 });
    expect(await rows({ select: 'host', order: 'host' })).toEqual([{ host: 'a' }, { host: 'b' }]);
    expect(await system.callAs(owner, queryRows, { params })).toMatchObject({ count: 2 });
    expect((await changes()).results.map(({ kind }) => kind)).toEqual(['changed', 'gone']);
    await expect(deleteWhere('n >')).rejects.toMatchObject({ details: { 'query.q': expect.any(String), position: 3 } });
    await expect(deleteWhere('host ~ "("')).rejects.toMatchObject({ details: { 'query.q': expect.any(String) } });
    const insights = memberCaller(owner, { [table.space]: 'insights' });
    await expect(deleteWhere('n = 1', insights)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(deleteWhere('n = 1', ownerCaller())).rejects.toMatchObject({ code: 'not_found' });
    expect(await deleteWhere('n = 777')).toEqual({ deleted: 0 });
    for (const blank of [' ', '\t\n', '\u00a0', '\u3000']) {
      await expect(deleteWhere(blank)).rejects.toMatchObject({ details: { 'query.q': expect.any(String) } });
    }
    expect(await rows({ select: 'host' })).toHaveLength(2);
  });
});

describe('metrics of groups', () => {
  async function seedTable() {
    const owner = ownerCaller();
    const table = await seedDataset(system.database, owner, {
      columns: [
        ['host', 'text'],
        ['port', 'bigint'],
        ['count', 'bigint'],
        ['at', 'timestamp'],
        ['tech', 'json'],
        ['__proto__', 'text'],
      ],
    });
    await insertRows(
      system.database,
      table,
      6,
      `'h' || n % 2, n, n, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 hour', '["a", "b"]', 'p' FROM generate_series(1, 48) n`,
    );
    const aggregate = (query: object) => system.callAs(owner, aggregateRows, { params: { id: table.id }, query });
    return { aggregate };
  }

  it('include counts, sums and other aggregates in the requested order', async () => {
    const { aggregate } = await seedTable();
    const metrics = 'count,min(port),max(port),sum(port),avg(port),distinct(host)';
    expect(await aggregate({ group_by: 'host', metrics, order: '-host' })).toEqual({
      results: [
        {
          host: 'h1',
          count: 24,
          'min(port)': 1,
          'max(port)': 47,
          'sum(port)': 576,
          'avg(port)': 24,
          'distinct(host)': 1,
        },
        {
          host: 'h0',
          count: 24,
          'min(port)': 2,
          'max(port)': 48,
          'sum(port)': 600,
          'avg(port)': 25,
          'distinct(host)': 1,
        },
      ],
      columns: [
        { name: 'host', type: 'text' },
        { name: 'count', type: 'bigint' },
        { name: 'min(port)', type: 'bigint' },
        { name: 'max(port)', type: 'bigint' },
        { name: 'sum(port)', type: 'bigint' },
        { name: 'avg(port)', type: 'double' },
        { name: 'distinct(host)', type: 'bigint' },
      ],
      more: false,
    });
    expect(await aggregate({ q: 'port <= 10' })).toMatchObject({ results: [{ count: 10 }], more: false });
    expect(await aggregate({ q: 'port > 100' })).toMatchObject({ results: [{ count: 0 }] });
  });

  it('can group by day, interval and array element, and report if there are more groups', async () => {
    const { aggregate } = await seedTable();
    expect((await aggregate({ group_by: 'at:1d' })).results).toEqual([
      { 'at:1d': '2026-01-01T00:00:00.000Z', count: 23 },
      { 'at:1d': '2026-01-02T00:00:00.000Z', count: 24 },
      { 'at:1d': '2026-01-03T00:00:00.000Z', count: 1 },
    ]);
    expect(await aggregate({ group_by: 'port:20', limit: 2 })).toMatchObject({
      results: [
        { 'port:20': 0, count: 19 },
        { 'port:20': 20, count: 20 },
      ],
      more: true,
    });
    expect((await aggregate({ group_by: 'tech[]' })).results).toEqual([
      { 'tech[]': 'a', count: 48 },
      { 'tech[]': 'b', count: 48 },
    ]);
    expect(JSON.stringify((await aggregate({ group_by: '`__proto__`' })).results)).toBe(
      '[{"__proto__":"p","count":48}]',
    );
  });

  it('are refused with the wrong parameter if they are invalid', async () => {
    const { aggregate } = await seedTable();
    for (const [query, detailsKey] of [
      [{ group_by: 'nothing' }, 'query.group_by'],
      [{ metrics: 'sum(host)' }, 'query.metrics'],
      [{ order: 'port' }, 'query.order'],
      [{ q: 'port >' }, 'query.q'],
      [{ group_by: '`count`', metrics: 'count' }, 'query.metrics'],
    ] as const) {
      await expect(aggregate(query)).rejects.toMatchObject({
        code: 'validation_error',
        details: { [detailsKey]: expect.any(String) },
      });
    }
  });
});

describe('a sum that exceeds the range of a double', () => {
  it('is refused with the parameter that requested it', async () => {
    const owner = ownerCaller();
    const { id, number } = await seedDataset(system.database, owner, { columns: [['n', 'double']] });
    await system.database.query(`INSERT INTO live.d_${number} (_s, _f, c1) VALUES (0, 1, 1e308), (0, 1, 1e308)`);
    const failing = system.callAs(owner, aggregateRows, { params: { id }, query: { metrics: 'sum(n)' } });
    await expect(failing).rejects.toMatchObject({ details: { 'query.metrics': expect.any(String) } });
  });
});

describe('help for an editor', () => {
  it('lists completions and problems', async () => {
    const { owner, table } = await seedTwoRuns();
    const help = (query: object) => system.callAs(owner, getQueryHelp, { params: { id: table.id }, query });
    const start = await help({ text: 'ho' });
    expect(start).toMatchObject({ from: 0, to: 2, items: [{ label: 'host', kind: 'column', insert: 'host' }] });
    expect(start.columns.find(({ name }) => name === 'n')).toMatchObject({
      type: 'bigint',
      operators: expect.arrayContaining(['=', '>', 'IS NULL']),
    });
    expect(await help({ text: 'n > abc', position: 0 })).toMatchObject({ error: { position: 4 }, from: 0 });
  });
});
