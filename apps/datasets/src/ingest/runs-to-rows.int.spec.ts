import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { clearDataset } from '@millrace/contracts/datasets/datasets';
import { mergeLoad, readPart } from '@millrace/contracts/datasets/jobs';
import { listRunLoads } from '@millrace/contracts/datasets/loads';
import { loadRun } from '@millrace/contracts/datasets/reporting-nodes';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { readMetric } from '@millrace/telemetry/testing/read-metric';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { start } from '../start.js';
import { jsonLines, type FakeRuns } from './testing/ingest-table.js';
import { startIngesting, type IngestingSystem } from './testing/start-ingesting.js';

const owner = ownerCaller();
let system: IngestingSystem;
let runs: FakeRuns;
beforeAll(async () => void ({ runs } = system = await startIngesting(owner)));
afterAll(() => system.close());

describe('the output of a run', () => {
  it('is in the table once, however often the event arrives', async () => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    const run = await runs.finish({ workflow, outputs: ['{"k":"a","n":1}', '{"k":"b","n":2}'] });
    await runs.publishFinished(run);
    expect(await table.load(run)).toMatchObject({ status: 'COMPLETED' });
    await runs.publishFinished(run);
    const { results } = await system.callAs(owner, listRunLoads, { params: { id: run } });
    expect(results).toMatchObject([{ rows_new: 2, parts: { total: 2, read: 2 }, node: 'a-1' }]);
    expect(await table.rows()).toEqual([
      { k: 'a', n: 1 },
      { k: 'b', n: 2 },
    ]);
    expect(await table.query('SELECT _j FROM TABLE ORDER BY _id')).toEqual([{ _j: '1' }, { _j: '2' }]);
    expect(await table.staged()).toEqual([]);
  });

  it('keeps the digits of numbers, even if a file a thousand files later changes the type', async () => {
    const table = await system.seed([]);
    const workflow = newId();
    await table.bind(workflow, 1);
    const outputs = [...Array.from({ length: 1_000 }, () => '{"n":9007199254740993}'), '{"n":1.5}'];
    expect(await table.load(await runs.finish({ workflow, outputs }))).toMatchObject({ status: 'COMPLETED' });
    expect(await table.query('SELECT c1 AS n, count(*)::int AS count FROM TABLE GROUP BY 1 ORDER BY 1')).toEqual([
      { n: '1.5', count: 1 },
      { n: '9007199254740993', count: 1_000 },
    ]);
  });

  it('is not loaded if the run failed', async () => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    const failed = await runs.finish({ workflow, outputs: ['{"k":"a"}'] }, 'FAILED');
    const run = await runs.finish({ workflow, outputs: ['{"k":"b"}'] });
    await table.load(run);
    expect(await table.rows()).toEqual([{ k: 'b' }]);
    expect(await table.query('SELECT 1 FROM datasets.load WHERE run_id = $1', [failed])).toEqual([]);
  });

  it('makes no row gone if the file is missing, and all rows if it is empty', async () => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    await table.load(await runs.finish({ workflow, outputs: ['{"k":"a"}'] }));
    const countEmpty = () => readMetric('millrace_table_loads_total{outcome="empty"}');
    const before = Number(await countEmpty());
    await table.load(await runs.finish({ workflow, outputs: [] }));
    await eventually(async () => expect(await countEmpty()).toBe(before + 1));
    expect((await system.seen(table)).get('a')).toMatchObject({ _state: 'new' });
    await table.load(await runs.finish({ workflow, outputs: [''] }));
    expect((await system.seen(table)).get('a')).toMatchObject({ _state: 'gone' });
  });

  it('makes no row gone if a file ends too early', async () => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    await table.load(await runs.finish({ workflow, outputs: ['[{"k":"a"},{"k":"b"}]'] }));
    await table.load(await runs.finish({ workflow, outputs: ['[{"k":"a"},{"k":'] }));
    expect([...(await system.seen(table)).values()].map(({ _state }) => _state)).toEqual(['unchanged', 'unchanged']);
  });

  it.each([
    ['a row that cannot be read', '{"k":"a"}\nnonsense\n'],
    ['a last line that is cut off', '{"k":"a"}\n{"k":'],
    ['text that is no table', 'error: no route to host'],
    ['a table without the key', 'host,port\n'],
    ['a table without a header', '"k" ,n\na,1\n'],
  ])('makes no row gone if it has %s', async (_, output) => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    await table.load(await runs.finish({ workflow, outputs: ['{"k":"a"}\n{"k":"b"}\n'] }));
    const run = await runs.finish({ workflow, outputs: [output] });
    expect(await table.load(run)).toMatchObject({ status: 'COMPLETED' });
    expect((await system.seen(table)).get('b')).toMatchObject({ _state: 'unchanged' });
    const { results } = await system.callAs(owner, listRunLoads, { params: { id: run } });
    expect(results).toMatchObject([{ rows_rejected: 1 }]);
  });

  it('can be loaded later if it was bound later, but only once', async () => {
    const table = await system.seed();
    const workflow = newId();
    const run = await runs.finish({ workflow, outputs: ['{"k":"a"}'] });
    const id = await table.bind(workflow, 1);
    const requestLoad = () => system.callAs(owner, loadRun, { params: { id }, body: { run } });
    const [first, second] = [await requestLoad(), await requestLoad()];
    expect(second.id).toBe(first.id);
    await table.load(run);
    expect(await table.rows()).toEqual([{ k: 'a' }]);
    expect((await requestLoad()).status).toBe('COMPLETED');
  });

  it('can be loaded again after the table was cleared, but only once', async () => {
    const table = await system.seed();
    const workflow = newId();
    const id = await table.bind(workflow, 1);
    const run = await runs.finish({ workflow, outputs: ['{"k":"a"}'] });
    const first = await table.load(run);
    await system.callAs(owner, clearDataset, { params: { id: table.table.id } });
    const requestLoad = () => system.callAs(owner, loadRun, { params: { id }, body: { run } });
    const again = await Promise.all([requestLoad(), requestLoad()]);
    expect(new Set(again.map((load) => load.id))).toEqual(new Set([first.id]));
    expect(again[0]).toMatchObject({ rows_new: 0 });
    expect(await table.load(run)).toMatchObject({ status: 'COMPLETED' });
    const { results } = await system.callAs(owner, listRunLoads, { params: { id: run } });
    expect(results).toMatchObject([{ id: first.id, rows_new: 1 }]);
    expect(await table.query('SELECT attempt FROM datasets.load WHERE run_id = $1', [run])).toEqual([{ attempt: 2 }]);
  });

  it('can be loaded again if there was nothing to read', async () => {
    const table = await system.seed();
    const workflow = newId();
    const id = await table.bind(workflow, 1);
    const outputs: string[] = [];
    const run = await runs.finish({ workflow, outputs });
    await table.load(run);
    outputs.push('{"k":"a"}');
    await system.callAs(owner, loadRun, { params: { id }, body: { run } });
    await eventually(async () => expect(await table.rows()).toEqual([{ k: 'a' }]));
  });
});

describe('a load', () => {
  it('is read again if its staged rows were lost', async () => {
    const table = await system.seed();
    const workflow = newId();
    await table.bind(workflow, 1);
    // The lock makes the merge wait after the rows are staged.
    const finishedRun = system.client.transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM datasets.dataset WHERE id = ${table.table.id}::uuid FOR NO KEY UPDATE`;
      const run = await runs.finish({ workflow, outputs: ['{"k":"a"}'] });
      await eventually(async () => {
        const [load] = await table.query<{ status: string }>('SELECT status FROM datasets.load WHERE run_id = $1', [
          run,
        ]);
        if (load?.status !== 'MERGING') throw new Error('not read yet');
      });
      for (const name of await table.staged()) await table.query(`TRUNCATE live.${name}`);
      return run;
    });
    expect(await table.load(await finishedRun)).toMatchObject({ status: 'COMPLETED' });
    expect(await table.rows()).toEqual([{ k: 'a' }]);
  });

  it('runs once even if its jobs run twice in two copies of the service', async () => {
    const copy = await system.start(start);
    const table = await system.seed([]);
    const workflow = newId();
    await table.bind(workflow, 1);
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ n }));
    const run = await runs.finish({ workflow, outputs: [jsonLines(rows)] });
    const [part] = await eventually(async () => {
      const found = await table.query<{ id: string; load: string }>(
        'SELECT p.id, load_id AS load FROM datasets.load_part p JOIN datasets.load l ON l.id = load_id WHERE run_id = $1',
        [run],
      );
      if (found.length === 0) throw new Error('not collected');
      return found;
    });
    await system.client.transaction((tx) => {
      for (let n = 0; n < 3; n++) tx.enqueue(readPart, { part: String(part?.id), vault: owner.vault });
      for (let n = 0; n < 3; n++) tx.enqueue(mergeLoad, { load: String(part?.load), vault: owner.vault });
      return Promise.resolve();
    });
    await table.load(run);
    await copy.close();
    expect(await table.query('SELECT count(*)::int AS count FROM TABLE')).toEqual([{ count: 20_000 }]);
  });

  it('whose jobs were lost continues when a service starts', async () => {
    const table = await system.seed();
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

  it("of a module's output continues after its binding was deleted", async () => {
    const table = await system.seed();
    const workflow = newId();
    const run = runs.start({ workflow, outputs: ['{"k":"a"}'] });
    await table.query(
      `INSERT INTO datasets.load (dataset_id, vault_id, source, run_id, workflow_id, node, output_name, is_module, status)
       VALUES ($1, $2, 1, $3, $4, 'a-1', 'output.txt', true, 'PENDING')`,
      [table.table.id, owner.vault, run, workflow],
    );
    const copy = await system.start(start);
    await table.load(run);
    await copy.close();
    expect(runs.requests.filter((one) => one.run === run)).toEqual([expect.objectContaining({ module: true })]);
  });

  it('ends and leaves nothing behind if its table is deleted while it is being read', async () => {
    const table = await system.seed([]);
    const workflow = newId();
    await table.bind(workflow, 1);
    const row = `${JSON.stringify({ text: 'x'.repeat(200) })}\n`;
    await runs.finish({ workflow, outputs: [Buffer.from(row.repeat(500_000))] });
    const readers = () =>
      table.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY live.s_%' AND state = 'active'",
      );
    await eventually(async () => expect(await readers()).not.toEqual([]));
    await table.query('DELETE FROM datasets.dataset WHERE id = $1', [table.table.id]);
    await eventually(async () => expect(await readers()).toEqual([]));
    const copy = await system.start(start);
    await eventually(async () => expect(await table.staged()).toEqual([]));
    await copy.close();
    const next = await system.seed();
    await next.bind(workflow, 1);
    await next.load(await runs.finish({ workflow, outputs: ['{"k":"a"}'] }));
    expect(await next.rows()).toEqual([{ k: 'a' }]);
  });

  it('does not block other loads if its table is deleted while its threads report nothing', async () => {
    const [table, next] = [await system.seed([]), await system.seed()];
    const [workflow, other] = [newId(), newId()];
    await next.bind(other, 1);
    const [sequence] = await table.query<{ last: string }>(
      "SELECT last_value AS last FROM pg_sequences WHERE sequencename = 'load_part_id_seq'",
    );
    const batches = [1n, 2n].map((more) => BigInt(sequence?.last ?? 0) + more);
    // Two threads wait for this lock, as they would wait for a slow file.
    const holder = new pg.Client({ connectionString: system.database.url });
    await holder.connect();
    try {
      for (const batch of batches) {
        await holder.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`ingest batch ${batch}`]);
      }
      await table.bind(workflow, 1);
      for (const output of ['{"k":"a"}', '{"k":"b"}']) await runs.finish({ workflow, outputs: [output] });
      const waiting = () =>
        table.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
           AND application_name = 'millrace-datasets-ingest'`,
        );
      await eventually(async () => expect(await waiting()).toHaveLength(batches.length));
      await table.query('DELETE FROM datasets.dataset WHERE id = $1', [table.table.id]);
      const run = await runs.finish({ workflow: other, outputs: ['{"k":"a"}'] });
      expect(await next.load(run)).toMatchObject({ status: 'COMPLETED' });
    } finally {
      await holder.end();
    }
  });

  it('continues after the connection of its reader broke', async () => {
    const table = await system.seed([]);
    const workflow = newId();
    await table.bind(workflow, 1);
    const rows = Array.from({ length: 200_000 }, (_, n) => ({ n, text: 'x'.repeat(50) }));
    const run = await runs.finish({ workflow, outputs: [jsonLines(rows)] });
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
