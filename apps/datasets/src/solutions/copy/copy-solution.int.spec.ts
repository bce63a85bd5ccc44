import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createReportingNode, listReportingNodes } from '@millrace/contracts/datasets/reporting-nodes';
import {
  copySolution,
  createSolution,
  getSolution,
  listSolutions,
  updateSolution,
} from '@millrace/contracts/datasets/solutions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { fakeWorkflows, type FakeWorkflows } from '@millrace/testkit/fake-workflows';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';
import { seedDataset, type SeededDataset } from '../../testing/seed-dataset.js';

let system: SystemWithStore;
let workflows: FakeWorkflows;
beforeAll(async () => {
  system = await startWithStore([start]);
  workflows = await fakeWorkflows(system);
});
afterAll(() => system.close());
beforeEach(() => {
  workflows.afterCopy = () => undefined;
});

type Body = Partial<Request<typeof copySolution>['body']>;

const query = <R extends object>(sql: string, values: unknown[] = []) => system.database.query<R>(sql, values);

/** A solution whose table has two rows of a run, one of them changed, and whose workflow is bound to it. */
const seed = async () => {
  const owner = ownerCaller();
  const [space, target] = [workflows.space(owner), workflows.space(owner)];
  const columns: Parameters<typeof seedDataset>[2]['columns'] = [
    ['host', 'text'],
    ['__proto__', 'json'],
  ];
  const table = await seedDataset(system.database, owner, { columns, key: ['host'], space });
  const { number } = table;
  await fill(table);
  const workflow = workflows.workflow(owner, space);
  await system.callAs(owner, updateSolution, {
    params: { id: table.solution },
    body: { name: `Found ${number}`, description: 'All of them', tags: ['a'], workflow_id: workflow, is_public: false },
  });
  const name = `Found ${number}`;
  await system.callAs(owner, createReportingNode, {
    body: { workflow, node_name: 'scan-1', output_name: 'found.jsonl', dataset_id: table.id },
  });
  await query(
    `INSERT INTO datasets.view (id, vault_id, solution_id, dataset_id, name, q, "order", author, modified_at)
     VALUES ($1, $2, $3, $4, 'Seen', 'host != null', '-host', $5, now())`,
    [newId(), owner.vault, table.solution, table.id, owner.user],
  );
  const copy = (body: Body = {}, caller: Caller = owner, timeoutMs = 30_000) =>
    system.callAs(caller, copySolution, { body: { name, space: target, ...body } }, { timeoutMs });
  const count = async () => (await system.callAs(owner, listSolutions)).count;
  return { owner, space, target, table, number, workflow, name, copy, count };
};

async function fill({ id, number }: SeededDataset): Promise<void> {
  await query(`INSERT INTO live.d_${number} (_id, _s, _f, _c, _l, _g, _j, c1, c2) VALUES
    (1, 1, 1000, 2000, NULL, NULL, 7, 'a', '{"x": 1}'), (5, 1, 1000, NULL, 1000, 2000, 8, 'b', NULL)`);
  await query(`SELECT setval(pg_get_serial_sequence('live.d_${number}', '_id'), 9)`);
  await query(`INSERT INTO live.d_${number}_changes VALUES (2000, 1, 'changed', '{"c1": "a"}', '{"c1": "a"}')`);
  await query('INSERT INTO datasets.source VALUES ($1, 0, NULL, NULL)', [id]);
  await query(
    `INSERT INTO datasets.generation (dataset_id, number, source, load_id, run_id, complete, created, changed, unchanged, gone)
     SELECT $1, n * 1000, 1, n, 40 + n, true, 2, 0, 0, 0 FROM generate_series(1, 2) n`,
    [id],
  );
  await query('UPDATE datasets.dataset SET rows = 2, rejected = 3, loaded_at = now() WHERE id = $1', [id]);
}

const tablesOf = (solution: string) =>
  query<{ id: string; number: number; rows: string; rejected: string }>(
    'SELECT id, number, rows, rejected FROM datasets.dataset WHERE solution_id = $1',
    [solution],
  );
const rowsOf = (number: number) => query(`SELECT * FROM live.d_${number} ORDER BY _id`);
const changesOf = (number: number) => query(`SELECT * FROM live.d_${number}_changes`);
const recordsOf = (kind: string, dataset: string) =>
  query(`SELECT to_jsonb(r) - 'dataset_id' - 'load_id' AS r FROM datasets.${kind} r WHERE dataset_id = $1 ORDER BY r`, [
    dataset,
  ]);
/** For each bound source, checks that its reporting node has the same workflow and output. */
const sourcesOf = (dataset: string) =>
  query(
    `SELECT to_jsonb(s) - 'dataset_id' - 'workflow_id' AS r, s.workflow_id IS NOT DISTINCT FROM n.workflow_id AS same
     FROM datasets.source s
     LEFT JOIN datasets.reporting_node n ON n.dataset_id = s.dataset_id AND n.source = s.number
     WHERE s.dataset_id = $1 ORDER BY s.number`,
    [dataset],
  );

describe('a copy of a solution', () => {
  it('has its tables with rows, changes, sources and origins', async () => {
    const { owner, target, table, number, name, copy } = await seed();
    const made = await copy();
    expect(made).toMatchObject({ name, description: 'All of them', tags: ['a'], space: target, datasets_count: 1 });
    expect(made.author).toBe(owner.user);
    expect(await system.callAs(owner, getSolution, { params: { id: made.id } })).toEqual(made);
    const [own] = await tablesOf(made.id);
    if (!own) throw new Error('The copy has no table');
    expect(own).toMatchObject({ rows: '2', rejected: '0' });
    expect(own.number).not.toBe(number);
    expect(await rowsOf(own.number)).toEqual(await rowsOf(number));
    expect(await changesOf(own.number)).toEqual(await changesOf(number));
    expect(await sourcesOf(own.id)).toEqual(await sourcesOf(table.id));
    for (const kind of ['dataset_column', 'generation']) {
      expect(await recordsOf(kind, own.id)).toEqual(await recordsOf(kind, table.id));
    }
  });

  it('is independent: it continues the row numbers, enforces the key and leaves the original unchanged', async () => {
    const { number, copy } = await seed();
    const [own] = await tablesOf((await copy()).id);
    const [before, to] = [await rowsOf(number), `live.d_${own?.number}`];
    const added = await query(`INSERT INTO ${to} (_s, _f, c1) VALUES (1, 1, 'c') RETURNING _id`);
    expect(added).toEqual([{ _id: '10' }]);
    await expect(query(`INSERT INTO ${to} (_s, _f, c1) VALUES (1, 1, 'a')`)).rejects.toMatchObject({ code: '23505' });
    expect(await rowsOf(number)).toEqual(before);
  });

  it('has its own workflow, which is bound to its tables like the original one', async () => {
    const { owner, target, table, workflow, copy } = await seed();
    const { id, workflow_id: copied } = await copy();
    expect(copied).not.toBe(workflow);
    expect(workflows.workflows.get(copied ?? '')).toEqual({ vault: owner.vault, space: target });
    const [own] = await tablesOf(id);
    const { results } = await system.callAs(owner, listReportingNodes, { query: { workflow: copied } });
    expect(results).toMatchObject([{ node_name: 'scan-1', output_name: 'found.jsonl', dataset_id: own?.id }]);
    const sources = await query('SELECT source FROM datasets.reporting_node WHERE dataset_id = ANY($1)', [
      [own?.id, table.id],
    ]);
    expect(sources).toEqual([{ source: 1 }, { source: 1 }]);
    const published = await query(
      `SELECT payload->'feeds' AS feeds FROM messaging.outbox
       WHERE name = 'datasets.workflow.feeding' AND payload->>'workflow' = $1`,
      [copied],
    );
    expect(published).toEqual([{ feeds: true }]);
    expect(await query('SELECT id FROM datasets.workflow_copy WHERE id = $1', [copied])).toEqual([]);
  });

  it('has the views, on its own tables', async () => {
    const { copy } = await seed();
    const { id } = await copy();
    const [own] = await tablesOf(id);
    const views = await query('SELECT dataset_id, name, q, "order" FROM datasets.view WHERE solution_id = $1', [id]);
    expect(views).toEqual([{ dataset_id: own?.id, name: 'Seen', q: 'host != null', order: '-host' }]);
  });

  it('can be empty and without a workflow', async () => {
    const { owner, space, target } = await seed();
    const name = `Empty ${newId()}`;
    await system.callAs(owner, createSolution, { body: { name, space } });
    const made = await system.callAs(owner, copySolution, { body: { name, space: target } });
    expect(made).toMatchObject({ name, space: target, datasets_count: 0 });
    expect(made).not.toHaveProperty('workflow_id');
  });

  it('is refused with a project if the solution has no workflow', async () => {
    const { owner, space, target, count } = await seed();
    const name = `Empty ${newId()}`;
    await system.callAs(owner, createSolution, { body: { name, space } });
    const before = await count();
    await expect(
      system.callAs(owner, copySolution, { body: { name, space: target, project: 'abc' } }),
    ).rejects.toMatchObject({ code: 'validation_error', details: { 'body.project': expect.any(String) } });
    expect(await count()).toBe(before);
  });

  it('is created once for one Idempotency-Key', async () => {
    const { owner, name, target, count } = await seed();
    const request = { body: { name, space: target } };
    const copyWithKey = () =>
      system.callAs(owner, copySolution, request, { idempotencyKey: 'copy', timeoutMs: 30_000 });
    const [first, second] = [await copyWithKey(), await copyWithKey()];
    expect(second).toEqual(first);
    expect(await count()).toBe(2);
  });
});

/** Blocks until `release`. */
const blockWith = async (statement: string) => {
  const client = new pg.Client(system.database.url);
  await client.connect();
  await client.query(`BEGIN; ${statement}`);
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
};

describe('the solution to copy', () => {
  it('can be named if its name is unique, and otherwise needs its id', async () => {
    const { owner, space, target, table, name, copy } = await seed();
    const first = await copy();
    await expect(copy()).rejects.toMatchObject({
      code: 'validation_error',
      details: {
        'body.name': expect.any(String),
        candidates: [
          { id: table.solution, name, space },
          { id: first.id, name, space: target },
        ],
      },
    });
    expect(await copy({ solution: first.id, name: 'Other' })).toMatchObject({ name: 'Other', datasets_count: 1 });
    await expect(copy({ name: 'None' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(copy({ name: name.toUpperCase() })).rejects.toMatchObject({ code: 'not_found' });
    for (const solution of [newId(), "x'", (await seed()).table.solution]) {
      await expect(copy({ solution })).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await system.callAs(owner, listSolutions, { query: { search: name } })).count).toBe(2);
  });

  it('must be queryable with a visible workflow, and the target space must be editable', async () => {
    const { owner, space, target, copy, count } = await seed();
    const cases: [Record<string, 'insights' | 'read' | 'execute' | 'write'>, string][] = [
      [{ [target]: 'write' }, 'not_found'],
      [{ [space]: 'insights', [target]: 'write' }, 'forbidden'],
      [{ [space]: 'read', [target]: 'execute' }, 'forbidden'],
      [{ [space]: 'write' }, 'not_found'],
    ];
    for (const [roles, code] of cases) {
      await expect(copy({}, memberCaller(owner, roles))).rejects.toMatchObject({ code });
    }
    await expect(copy({}, ownerCaller())).rejects.toMatchObject({ code: 'validation_error' });
    await expect(copy({ space: newId() })).rejects.toMatchObject({ details: { 'body.space': expect.any(String) } });
    expect(await count()).toBe(1);
    await copy({}, memberCaller(owner, { [space]: 'read', [target]: 'write' }));
    expect(await count()).toBe(2);
  });

  it('can be public, but not with a workflow that the caller may not see', async () => {
    const { owner, target, table, copy } = await seed();
    const params = { id: table.solution };
    await system.callAs(owner, updateSolution, { params, body: { is_public: true } });
    await expect(copy({}, memberCaller(owner, { [target]: 'write' }))).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a copy that fails', () => {
  const before = async () => ({
    workflows: new Set(workflows.workflows.keys()),
    tables: await query("SELECT count(*) FROM pg_class WHERE relnamespace = 'live'::regnamespace"),
  });

  it('leaves no tables and no workflow behind', async () => {
    const { table, number, copy, count } = await seed();
    const was = await before();
    // The copy fails after the workflow and the records of the table are copied.
    await query(`ALTER TABLE live.d_${number} DROP COLUMN c2`);
    await expect(copy()).rejects.toMatchObject({ code: 'internal_error' });
    expect(await before()).toEqual(was);
    expect(await count()).toBe(1);
    expect(await tablesOf(table.solution)).toHaveLength(1);
  });

  it('leaves nothing behind if it exceeds the time limit of a request', async () => {
    const { table, number, copy, count } = await seed();
    const was = await before();
    const release = await blockWith(`LOCK TABLE live.d_${number} IN ACCESS EXCLUSIVE MODE`);
    await expect(copy({ solution: table.solution }, undefined, 6_000)).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.solution': expect.any(String) },
    });
    await release();
    expect(await before()).toEqual(was);
    expect(await count()).toBe(1);
  });

  it('discards a workflow copy whose response arrives too late', async () => {
    const { copy, count } = await seed();
    const was = await before();
    workflows.afterCopy = () => Promise.reject(new Error('Lost'));
    await expect(copy()).rejects.toMatchObject({ code: 'internal_error' });
    expect(await before()).toEqual(was);
    expect(await count()).toBe(1);
  });

  it('has its orphaned workflow copies discarded after ten minutes', async () => {
    const { owner, target } = await seed();
    const [old, fresh] = [workflows.workflow(owner, target), workflows.workflow(owner, target)];
    await query(`INSERT INTO datasets.workflow_copy VALUES ($1, $3, now() - interval '11 minutes'), ($2, $3, now())`, [
      old,
      fresh,
      owner.vault,
    ]);
    const another = await system.start(start);
    await eventually(async () =>
      expect(await query('SELECT id FROM datasets.workflow_copy WHERE vault_id = $1', [owner.vault])).toEqual([
        { id: fresh },
      ]),
    );
    expect(workflows.workflows.has(old)).toBe(false);
    expect(workflows.workflows.has(fresh)).toBe(true);
    await another.close();
  });
});

describe('a running copy of a solution', () => {
  it('does not wait for loads of its tables, and they do not wait for it', async () => {
    const { table, copy } = await seed();
    const release = await blockWith(`SELECT 1 FROM datasets.dataset WHERE id = '${table.id}' FOR NO KEY UPDATE;
      UPDATE live.d_${table.number} SET c1 = 'x' WHERE c1 = 'a'`);
    const [own] = await tablesOf((await copy()).id);
    await release();
    expect(await rowsOf(own?.number ?? 0)).toEqual(await rowsOf(table.number));
  });
});

it('the rows of a copied solution count towards the limit of the vault', async () => {
  const limited = await startWithStore([start], { LIVE_ROWS_LIMIT: '3' });
  const owner = ownerCaller();
  const limitedWorkflows = await fakeWorkflows(limited);
  const space = limitedWorkflows.space(owner);
  const { id, solution, number } = await seedDataset(limited.database, owner, { columns: [['a', 'text']], space });
  const copy = () => limited.callAs(owner, copySolution, { body: { name: 'Copy', solution, space } });
  const seedRows = async (rows: number) => {
    await limited.database.query(`INSERT INTO live.d_${number} (_s, _f) SELECT 0, 1 FROM generate_series(1, $1)`, [
      rows,
    ]);
    await limited.database.query('UPDATE datasets.dataset SET rows = rows + $1 WHERE id = $2', [rows, id]);
  };
  await seedRows(1);
  expect(await copy()).toMatchObject({ datasets_count: 1 });
  await seedRows(1);
  await expect(copy()).rejects.toMatchObject({ code: 'validation_error', details: { body: expect.any(String) } });
  expect((await limited.callAs(owner, listSolutions)).count).toBe(2);
  await limited.close();
});
