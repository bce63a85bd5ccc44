import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteDataset } from '@millrace/contracts/datasets/datasets';
import { locateTable, matchChanges } from '@millrace/contracts/datasets/table-changes';
import { createView, deleteView, updateView } from '@millrace/contracts/datasets/views';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { FakeService } from '@millrace/testkit/fake-service';
import { jsonLines, type IngestTable } from '../ingest/testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from '../ingest/testing/start-ingesting.js';

const owner = ownerCaller();
let system: IngestingSystem;
let notifications: FakeService;
beforeAll(async () => {
  system = await startIngesting(owner);
  notifications = await system.fake('notifications');
});
afterAll(() => system.close());

interface Published {
  generation: string;
  load: string;
  new: number;
  changed: number;
  gone: number;
  run?: string;
  partial: boolean;
}

const published = async (name: string, field: string, id: string) => {
  const rows = await system.database.query<{ payload: Published & Record<string, unknown> }>(
    'SELECT payload FROM messaging.outbox WHERE name = $1 AND payload->>$2 = $3 ORDER BY created_at, id',
    [name, field, id],
  );
  return rows.map(({ payload }) => payload);
};
const changesOf = ({ table }: IngestTable) => published('datasets.table.changed', 'dataset', table.id);
const viewOf = async ({ table }: IngestTable, query: object) => {
  const body = { name: 'v', dataset: table.id, ...query };
  return (await system.callAs(owner, createView, { params: { solutionId: table.solution }, body })).id;
};
const match = async (table: IngestTable, view: string | null) => {
  const last = (await changesOf(table)).at(-1);
  const { vault } = owner;
  return notifications.call(matchChanges, { vault, dataset: table.table.id, generation: last?.generation ?? '', view });
};

describe('a change of a table', () => {
  it('is published once for each load that changes rows', async () => {
    const table = await system.seed();
    await table.append('{"k":"a","n":1}\n{"k":"b","n":1}');
    await table.append('{"k":"a","n":1}');
    await table.append('{"k":"a","n":2}\n{"k":"c","n":1}');
    const workflow = newId();
    await table.bind(workflow, 1);
    const { runs } = system;
    const first = await runs.finish({ workflow, outputs: ['{"k":"d","n":1}\n{"k":"e","n":1}'] });
    await table.load(first);
    const run = await runs.finish({ workflow, outputs: ['{"k":"d","n":1}'] });
    await table.load(run);
    await runs.publishFinished(run);
    const changes = await changesOf(table);
    expect(changes.map((change) => [change.new, change.changed, change.gone])).toEqual([
      [2, 0, 0],
      [1, 1, 0],
      [2, 0, 0],
      [0, 0, 1],
    ]);
    expect(changes[3]).toMatchObject({ run, workflow, partial: false, name: 'seeded', space: table.table.space });
    expect(changes[0]).not.toHaveProperty('run');
    expect(new Set(changes.map(({ load }) => load)).size).toBe(4);
  });

  it('has the rows that this load made new or changed, of all that match a view', async () => {
    const table = await system.seed();
    await table.append('{"k":"a","n":1}\n{"k":"b","n":5}\n{"k":"same","n":9}');
    await table.append('{"k":"a","n":7}\n{"k":"b","n":2}\n{"k":"same","n":9}\n{"k":"c","n":8}\n{"k":"d","n":0}');
    const view = await viewOf(table, { q: 'n > 5', select: 'k', order: '-k' });
    expect(await match(table, view)).toMatchObject({
      table: { dataset: table.table.id, view: { id: view, name: 'v', solution: table.table.solution } },
      ...{ new: 1, changed: 1 },
      rows: [
        { kind: 'new', row: { k: 'c' } },
        { kind: 'changed', row: { k: 'a' } },
      ],
      columns: ['k'],
    });
    const all = await match(table, null);
    expect(all).toMatchObject({ new: 2, changed: 2, table: { view: null }, columns: ['k', 'n'] });
    expect(Object.keys(all.rows[0]?.row ?? {})).toEqual(expect.arrayContaining(['k', 'n', '_row', '_state']));
    expect(await match(table, await viewOf(table, { select: '_state, k' }))).toMatchObject({
      columns: ['_state', 'k'],
    });
    expect(await match(table, await viewOf(table, { q: 'k = same' }))).toEqual({
      ...{ table: expect.anything(), new: 0, changed: 0, rows: [] },
    });
  });

  it('has at most ten rows and 16 KiB of them, and counts all', async () => {
    const table = await system.seed();
    const rows = (size: number) => Array.from({ length: 25 }, (_, at) => ({ k: `${size}-${at}`, t: 'x'.repeat(size) }));
    await table.append(jsonLines(rows(10)));
    const short = await match(table, null);
    expect(short).toMatchObject({ new: 25, changed: 0 });
    expect(short.rows).toHaveLength(10);
    await table.append(jsonLines(rows(5_000)));
    const long = await match(table, null);
    expect(long).toMatchObject({ new: 25, changed: 0 });
    expect(long.rows).toHaveLength(3);
  });

  it('says why it is unknown which rows match', async () => {
    const table = await system.seed();
    await table.append('{"k":"a","n":1}');
    const view = await viewOf(table, { q: 'n > 0' });
    await table.query("UPDATE datasets.view SET q = 'nothing = 1' WHERE id = $1", [view]);
    expect(await match(table, view)).toMatchObject({ new: 0, changed: 0, problem: expect.stringContaining('nothing') });
  });
});

describe('the lookup of tables and views', () => {
  it('finds nothing that does not exist in the vault', async () => {
    const table = await system.seed();
    const { id } = table.table;
    const view = await viewOf(table, {});
    const locate = (body: object, vault = owner.vault) => notifications.call(locateTable, { vault, ...body });
    expect(await locate({ dataset: id })).toMatchObject({ table: { dataset: id, name: 'seeded', public: false } });
    expect(await locate({ view })).toMatchObject({ table: { dataset: id, view: { id: view } } });
    const missing = [{}, { dataset: newId() }, { dataset: 'x' }, { view: newId() }, { dataset: newId(), view }];
    for (const body of missing) expect(await locate(body)).toEqual({ table: null });
    expect(await locate({ dataset: id }, newId())).toEqual({ table: null });
  });

  it('receives which views and tables were deleted', async () => {
    const [table, other] = [await system.seed(), await system.seed()];
    const view = await viewOf(table, {});
    const params = { solutionId: table.table.solution, viewId: view };
    await system.callAs(owner, updateView, { params, body: { name: 'renamed' } });
    await system.callAs(owner, deleteView, { params });
    await system.callAs(owner, deleteDataset, { params: { id: other.table.id } });
    const events = await published('datasets.tables.deleted', 'vault', owner.vault);
    expect(events.map(({ datasets, views }) => ({ datasets, views }))).toEqual([
      { datasets: [], views: [view] },
      { datasets: [other.table.id], views: [] },
    ]);
  });
});
