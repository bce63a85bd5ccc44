import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { deleteDataset } from '@millrace/contracts/datasets/datasets';
import { deleteExport, type ExportFormat } from '@millrace/contracts/datasets/exports';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';
import { type Exporting, createExporting, seedHosts, seedNumbers } from '../testing/exporting.js';

let system: SystemWithStore;
let service: RunningService;
let exporting: Exporting;
beforeAll(async () => {
  system = await startWithStore([]);
  service = await system.start(start);
  exporting = createExporting(system);
});
afterAll(() => system.close());

const query = <R extends object>(sql: string, values?: unknown[]) => system.database.query<R>(sql, values);

/** Postgres backends that read for exports. */
const readers = () =>
  query<{ pid: number; tuples: string | null }>(
    `SELECT a.pid, p.tuples_processed AS tuples FROM pg_stat_activity a LEFT JOIN pg_stat_progress_copy p USING (pid)
     WHERE a.application_name = 'millrace-datasets-export' AND a.datname = current_database()`,
  );

/** Locks a table, so that its export runs until the test releases it. */
async function lockTable(number: number): Promise<{ release: () => Promise<void> }> {
  const client = new Client({ connectionString: system.database.url });
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE live.d_${number} IN ACCESS EXCLUSIVE MODE`);
  return { release: () => client.end() };
}

/** An export that is RUNNING and waits for its table. */
async function startBlockedExport(owner: Caller) {
  const dataset = await seedHosts(system, owner);
  const lock = await lockTable(dataset.number);
  const { id } = await exporting.create(owner, { dataset: dataset.id });
  await eventually(async () => expect((await readers()).length).toBe(1));
  return { id, dataset, lock };
}

const filesLeft = () => query(`SELECT 1 FROM datasets.export WHERE status <> 'DELETED' AND sha256 IS NOT NULL`);

describe('an export that is being written', () => {
  it('ends when it is deleted, and leaves nothing behind', async () => {
    const owner = ownerCaller();
    const { id, lock } = await startBlockedExport(owner);
    expect(await exporting.get(owner, id)).toMatchObject({ status: 'RUNNING' });
    await system.callAs(owner, deleteExport, { params: { id } });
    await expect(exporting.get(owner, id)).rejects.toMatchObject({ code: 'not_found' });
    await eventually(async () => expect(await readers()).toEqual([]));
    await lock.release();
    expect(await filesLeft()).toEqual([]);
  });

  it('fails when its table is deleted, and does not block the deletion', async () => {
    const owner = ownerCaller();
    const { id, dataset, lock } = await startBlockedExport(owner);
    await system.callAs(owner, deleteDataset, { params: { id: dataset.id } });
    expect(await exporting.waitUntilFinished(owner, id)).toMatchObject({
      status: 'FAILED',
      error: 'The Live Table was deleted.',
    });
    await lock.release();
    await eventually(async () => {
      expect(await query('SELECT to_regclass($1) AS name', [`live.d_${dataset.number}`])).toEqual([{ name: null }]);
      expect(await readers()).toEqual([]);
    });
  });

  it('shows its size and rows when it is completed, and later rows do not change them', async () => {
    const owner = ownerCaller();
    const { id: dataset, number } = await seedNumbers(system, owner, 1_000);
    const { id } = await exporting.create(owner, { dataset });
    const completed = await exporting.waitUntilFinished(owner, id);
    expect(completed.size).toBe((await exporting.readFile(owner, id)).length);
    await query(`INSERT INTO live.d_${number} (_s, _f, c1) VALUES (0, 1, 0)`);
    expect((await exporting.get(owner, id)).rows).toBe(1_000);
  });
});

describe('an export that loses its connection', () => {
  it.each<ExportFormat>(['csv', 'parquet'])('is written again as %s with exactly the right rows', async (format) => {
    const owner = ownerCaller();
    const rows = 400_000;
    const { id: dataset } = await seedNumbers(system, owner, rows);
    const { id } = await exporting.create(owner, { dataset, format });
    const reading = await eventually(async () => {
      const [found] = await readers();
      expect(Number(found?.tuples ?? 0)).toBeGreaterThan(0);
      return found!;
    });
    expect(await query('SELECT pg_terminate_backend($1::int) AS ended', [reading.pid])).toEqual([{ ended: true }]);
    const completed = await exporting.waitUntilFinished(owner, id);
    expect(completed).toMatchObject({ status: 'COMPLETED', rows });
    const [{ attempt } = { attempt: 0 }] = await query<{ attempt: number }>(
      'SELECT attempt FROM datasets.export WHERE id = $1',
      [id],
    );
    expect(attempt).toBeGreaterThan(1);
    if (format === 'csv') {
      const lines = (await exporting.readFile(owner, id)).split('\n');
      expect(lines.length).toBe(rows + 2);
      expect(lines.at(-2)).toBe(`${rows},row number ${rows}`);
    }
  });
});

it('an export is written later if its job was lost with Redis or its service was killed', async () => {
  const owner = ownerCaller();
  const { id: dataset, space, solution } = await seedHosts(system, owner);
  const [row] = await query<{ id: string }>(
    `INSERT INTO datasets.export (vault_id, space_id, dataset_id, solution_id, "user", q, "select", "order", format, file_name, status, attempt, created_at)
     VALUES ($1, $2, $3, $4, $5, '', '', '', 'csv', 'x.csv', 'RUNNING', 1, now() - interval '1 minute') RETURNING id::text`,
    [owner.vault, space, dataset, solution, owner.user],
  );
  expect(await exporting.waitUntilFinished(owner, row!.id)).toMatchObject({ status: 'COMPLETED', rows: 3 });
});

describe('at the end of its retention time', () => {
  it('an export is deleted with its file', async () => {
    const owner = ownerCaller();
    const { id: dataset } = await seedHosts(system, owner);
    const { id } = await exporting.create(owner, { dataset, select: 'port,host' });
    await exporting.waitUntilFinished(owner, id);
    const [{ sha256 } = { sha256: '' }] = await query<{ sha256: string }>(
      'SELECT sha256 FROM datasets.export WHERE id = $1',
      [id],
    );
    expect(await exporting.store.has(sha256)).toBe(true);
    await query(`UPDATE datasets.export SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await eventually(async () => {
      expect(await query('SELECT 1 FROM datasets.export WHERE id = $1', [id])).toEqual([]);
      expect(await exporting.store.has(sha256)).toBe(false);
    });
  });
});

it('an export continues in another copy when its service shuts down', async () => {
  const owner = ownerCaller();
  const { id, lock } = await startBlockedExport(owner);
  const [previous] = await readers();
  await system.start(start);
  await service.close();
  await eventually(async () => {
    const [next] = await readers();
    expect(next).toBeDefined();
    expect(next!.pid).not.toBe(previous!.pid);
  });
  await lock.release();
  expect(await exporting.waitUntilFinished(owner, id)).toMatchObject({ status: 'COMPLETED', rows: 3 });
});
