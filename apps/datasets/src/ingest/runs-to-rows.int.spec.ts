import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { mergeLoad, readPart } from '@millrace/contracts/datasets/jobs';
import { listBoundOutputs, listRunLoads } from '@millrace/contracts/datasets/loads';
import { loadRun } from '@millrace/contracts/datasets/reporting-nodes';
import { appendRows } from '@millrace/contracts/datasets/rows';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk-store';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type StoringSystem } from '@millrace/testkit/start-with-store';
import { loadShape } from '../reading/load-shape.js';
import { start } from '../start.js';
import { seedDataset } from '../testing/seed-dataset.js';
import { IngestTable, PlayedRuns } from './testing/ingest-table.js';

const owner = ownerCaller();
let system: StoringSystem;
let database: Database;
let runs: PlayedRuns;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'datasets', connections: 2 });
  const source = await system.sourceOf('runs');
  runs = new PlayedRuns(system, owner, (event, payload) => source.emit(event, payload));
  (await system.play('runs')).on(listBoundOutputs, runs.answer);
});
afterAll(async () => {
  await database.close();
  await system.close();
});

async function seed(key: string[] = ['k']): Promise<IngestTable> {
  const columns = key.map((name): [string, 'text'] => [name, 'text']);
  const seeded = await seedDataset(system.database, owner, { columns, key });
  return new IngestTable(system, owner, seeded, (input) => system.askAs(owner, appendRows, input));
}

const lines = (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

/** What a query sees of each row, by key. */
async function seen(table: IngestTable): Promise<Map<string, Record<string, unknown>>> {
  const { columns = [] } = (await loadShape(database.client, table.table.id)) ?? {};
  const list = columns.map(({ sql }, at) => `${sql} AS v${at}`).join(', ');
  const rows = await table.query<Record<string, unknown>>(`SELECT ${list} FROM TABLE`);
  return new Map(
    rows.map((row) => {
      const named = Object.fromEntries(columns.map(({ name }, at) => [name, row[`v${at}`]]));
      return [String(named['k']), named];
    }),
  );
}

describe('what a run gave', () => {
  it('is in the table once, however often it is told', async () => {
    const table = await seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    const run = await runs.end({ workflow, outputs: ['{"k":"a","n":1}', '{"k":"b","n":2}'] });
    await runs.tell(run);
    expect(await table.load(run)).toMatchObject({ status: 'COMPLETED' });
    await runs.tell(run);
    const { results } = await system.askAs(owner, listRunLoads, { params: { id: run } });
    expect(results).toMatchObject([{ rows_new: 2, parts: { total: 2, read: 2 }, node: 'a-1' }]);
    expect(await table.rows()).toEqual([
      { k: 'a', n: 1 },
      { k: 'b', n: 2 },
    ]);
    expect(await table.query('SELECT _j FROM TABLE ORDER BY _id')).toEqual([{ _j: '1' }, { _j: '2' }]);
    expect(await table.staged()).toEqual([]);
  });

  it('is not read where it failed', async () => {
    const table = await seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    const failed = await runs.end({ workflow, outputs: ['{"k":"a"}'] }, 'FAILED');
    const run = await runs.end({ workflow, outputs: ['{"k":"b"}'] });
    await table.load(run);
    expect(await table.rows()).toEqual([{ k: 'b' }]);
    expect(await table.query('SELECT 1 FROM datasets.load WHERE run_id = $1', [failed])).toEqual([]);
  });

  it('takes nothing away where it wrote no file, and all where it wrote an empty one', async () => {
    const table = await seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    await table.load(await runs.end({ workflow, outputs: ['{"k":"a"}'] }));
    await table.load(await runs.end({ workflow, outputs: [] }));
    expect((await seen(table)).get('a')).toMatchObject({ _state: 'new' });
    await table.load(await runs.end({ workflow, outputs: [''] }));
    expect((await seen(table)).get('a')).toMatchObject({ _state: 'gone' });
  });

  it('takes nothing away where a file ends too early', async () => {
    const table = await seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    await table.load(await runs.end({ workflow, outputs: ['[{"k":"a"},{"k":"b"}]'] }));
    await table.load(await runs.end({ workflow, outputs: ['[{"k":"a"},{"k":'] }));
    expect([...(await seen(table)).values()].map(({ _state }) => _state)).toEqual(['unchanged', 'unchanged']);
  });

  it.each([
    ['a row that cannot be read', '{"k":"a"}\nnonsense\n'],
    ['a last line that is cut off', '{"k":"a"}\n{"k":'],
    ['text that is no table', 'error: no route to host'],
    ['a table without the key', 'host,port\n'],
    ['a table without a header', '"k" ,n\na,1\n'],
  ])('takes nothing away where it has %s', async (_, output) => {
    const table = await seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    await table.load(await runs.end({ workflow, outputs: ['{"k":"a"}\n{"k":"b"}\n'] }));
    const run = await runs.end({ workflow, outputs: [output] });
    expect(await table.load(run)).toMatchObject({ status: 'COMPLETED' });
    expect((await seen(table)).get('b')).toMatchObject({ _state: 'unchanged' });
    const { results } = await system.askAs(owner, listRunLoads, { params: { id: run } });
    expect(results).toMatchObject([{ rows_rejected: 1 }]);
  });

  it('can be read later, where it was bound later, and that once', async () => {
    const table = await seed();
    const workflow = newId();
    const run = await runs.end({ workflow, outputs: ['{"k":"a"}'] });
    const id = await table.bind(workflow, 1);
    const ask = () => system.askAs(owner, loadRun, { params: { id }, body: { run } });
    const [first, second] = [await ask(), await ask()];
    expect(second.id).toBe(first.id);
    await table.load(run);
    expect(await table.rows()).toEqual([{ k: 'a' }]);
  });
});

describe('a load', () => {
  it('that was staged and lost is read again', async () => {
    const table = await seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    // Held, so that the merge waits between what was staged and what it will find.
    const held = database.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM datasets.dataset WHERE id = ${table.table.id}::uuid FOR NO KEY UPDATE`;
      const run = await runs.end({ workflow, outputs: ['{"k":"a"}'] });
      await eventually(async () => {
        const [load] = await table.query<{ status: string }>('SELECT status FROM datasets.load WHERE run_id = $1', [
          run,
        ]);
        if (load?.status !== 'MERGING') throw new Error('not read yet');
      });
      for (const name of await table.staged()) await table.query(`TRUNCATE live.${name}`);
      return run;
    });
    expect(await table.load(await held)).toMatchObject({ status: 'COMPLETED' });
    expect(await table.rows()).toEqual([{ k: 'a' }]);
  });

  it('is done once where its jobs are there twice, in two copies of the service', async () => {
    const copy = await system.start(start);
    const table = await seed([]);
    const workflow = newId();
    await table.bind(workflow, 1);
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    const run = await runs.end({ workflow, outputs: [lines(rows)] });
    const [part] = await eventually(async () => {
      const found = await table.query<{ id: string; load: string }>(
        'SELECT p.id, load_id AS load FROM datasets.load_part p JOIN datasets.load l ON l.id = load_id WHERE run_id = $1',
        [run],
      );
      if (found.length === 0) throw new Error('not collected');
      return found;
    });
    await database.transaction((tx) => {
      for (let n = 0; n < 3; n++) tx.enqueue(readPart, { part: String(part?.id) });
      for (let n = 0; n < 3; n++) tx.enqueue(mergeLoad, { load: String(part?.load) });
      return Promise.resolve();
    });
    await table.load(run);
    await copy.close();
    expect(await table.query('SELECT count(*)::int AS count FROM TABLE')).toEqual([{ count: 20_000 }]);
  });

  it('whose jobs are forgotten is found when a service starts', async () => {
    const table = await seed();
    const stored = await new DiskStore(system.folder).put(Buffer.from('{"k":"a"}'));
    await table.query(
      `WITH l AS (INSERT INTO datasets.load (dataset_id, vault_id, source, run_id, status)
         VALUES ($1, $2, 1, 4711, 'READING') RETURNING id)
       INSERT INTO datasets.load_part (id, load_id, batch, sha256, size, status)
       SELECT 990001, id, 990001, $3, 9, 'PENDING' FROM l`,
      [table.table.id, owner.vault, stored.sha256],
    );
    const copy = await system.start(start);
    expect(await table.load('4711')).toMatchObject({ status: 'COMPLETED' });
    await copy.close();
    expect(await table.rows()).toEqual([{ k: 'a' }]);
  });

  it('whose table is deleted while it is read ends, and leaves nothing', async () => {
    const table = await seed([]);
    const workflow = newId();
    await table.bind(workflow, 1);
    const row = `${JSON.stringify({ text: 'x'.repeat(200) })}\n`;
    await runs.end({ workflow, outputs: [Buffer.from(row.repeat(500_000))] });
    const readers = () =>
      table.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY live.s_%' AND state = 'active'",
      );
    await eventually(async () => expect(await readers()).not.toEqual([]));
    await table.query('DELETE FROM datasets.dataset WHERE id = $1', [table.table.id]);
    await eventually(async () => expect(await readers()).toEqual([]), { withinMs: 20_000 });
    const copy = await system.start(start);
    await eventually(async () => expect(await table.staged()).toEqual([]), { withinMs: 20_000 });
    await copy.close();
    const next = await seed();
    await next.bind(workflow, 1);
    await next.load(await runs.end({ workflow, outputs: ['{"k":"a"}'] }));
    expect(await next.rows()).toEqual([{ k: 'a' }]);
  });

  it('whose table is deleted while its threads say nothing does not keep others from being read', async () => {
    const [table, next] = [await seed([]), await seed()];
    const [workflow, other] = [newId(), newId()];
    await next.bind(other, 1);
    const [sequence] = await table.query<{ last: string }>(
      "SELECT last_value AS last FROM pg_sequences WHERE sequencename = 'load_part_id_seq'",
    );
    const batches = [1n, 2n].map((more) => BigInt(sequence?.last ?? 0) + more);
    // Two threads wait for us, as they would for a file that takes long.
    const holder = new pg.Client({ connectionString: system.database.url });
    await holder.connect();
    try {
      for (const batch of batches) {
        await holder.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`ingest batch ${batch}`]);
      }
      await table.bind(workflow, 1);
      for (const output of ['{"k":"a"}', '{"k":"b"}']) await runs.end({ workflow, outputs: [output] });
      const waiting = () =>
        table.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
           AND application_name = 'millrace-datasets-ingest'`,
        );
      await eventually(async () => expect(await waiting()).toHaveLength(batches.length), { withinMs: 20_000 });
      await table.query('DELETE FROM datasets.dataset WHERE id = $1', [table.table.id]);
      const run = await runs.end({ workflow: other, outputs: ['{"k":"a"}'] });
      expect(await next.load(run)).toMatchObject({ status: 'COMPLETED' });
    } finally {
      await holder.end();
    }
  });

  it('goes on where the connection of its reader broke', async () => {
    const table = await seed([]);
    const workflow = newId();
    await table.bind(workflow, 1);
    const rows = Array.from({ length: 200_000 }, (_, n) => ({ n, text: 'x'.repeat(50) }));
    const run = await runs.end({ workflow, outputs: [lines(rows)] });
    await eventually(async () => {
      const ended = await table.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = 'millrace-datasets-ingest' AND query LIKE 'COPY%'`,
      );
      if (ended.length === 0) throw new Error('no reader yet');
    });
    expect(await table.load(run)).toMatchObject({ status: 'COMPLETED' });
    expect(await table.query('SELECT count(*)::int AS count, count(DISTINCT c1)::int AS n FROM TABLE')).toEqual([
      { count: 200_000, n: 200_000 },
    ]);
  });
});

interface ModelRow {
  n: number;
  state: string;
  run: string | null;
}

const keyOf = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const rowsOf = fc.array(fc.record({ k: keyOf, n: fc.integer({ min: 0, max: 3 }) }), { maxLength: 8 });
const loadOf = fc.record({ source: fc.constantFrom(0, 1, 1, 2), partial: fc.boolean(), rows: rowsOf });

it('random loads of several sources leave what a model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(loadOf, { minLength: 1, maxLength: 6 }), async (loads) => {
      const table = await seed();
      const workflows = [newId(), newId(), newId()];
      for (const source of [1, 2]) await table.bind(String(workflows[source]), source);
      const model = new Map<string, ModelRow & { owner: number }>();
      for (const { source, partial, rows } of loads) {
        const content = lines(rows) + (rows.length > 0 ? '\n' : ' ');
        if (source === 0) await table.append(content);
        else {
          const run = await runs.end({ workflow: String(workflows[source]), outputs: [content], partial });
          await table.load(run);
          apply(model, { source, partial, rows, run });
          continue;
        }
        apply(model, { source, partial: true, rows, run: null });
      }
      const found = [...(await seen(table))].map(([k, row]) => [
        k,
        Number(row['n']),
        row['_state'],
        row['_run'] ?? null,
      ]);
      const expected = [...model].map(([k, { n, state, run }]) => [k, n, state, run]);
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: 12 },
  );
});

function apply(
  model: Map<string, ModelRow & { owner: number }>,
  {
    source,
    partial,
    rows,
    run,
  }: { source: number; partial: boolean; rows: { k: string; n: number }[]; run: string | null },
): void {
  const last = new Map(rows.map(({ k, n }) => [k, n]));
  for (const row of model.values()) if (row.owner === source && row.state !== 'gone') row.state = 'unchanged';
  for (const [k, n] of last) {
    const former = model.get(k);
    if (!former) model.set(k, { n, state: 'new', run, owner: source });
    else if (former.n !== n || former.state === 'gone') model.set(k, { n, state: 'changed', run, owner: source });
    else model.set(k, { n, state: 'unchanged', run, owner: source === 0 ? former.owner : source });
  }
  if (partial) return;
  for (const [k, row] of model) if (row.owner === source && !last.has(k) && row.state !== 'gone') row.state = 'gone';
}
