import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { clearDataset } from '@millrace/contracts/datasets/datasets';
import { appendRows } from '@millrace/contracts/datasets/rows';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import type { SystemWithStore } from '@millrace/testkit/start-with-store';
import { seedDataset } from '../testing/seed-dataset.js';
import { type Exporting, seedNumbers, startExporting } from './testing/exporting.js';

const owner = ownerCaller();
let system: SystemWithStore;
let exporting: Exporting;
beforeAll(async () => void ({ system, exporting } = await startExporting()));
afterAll(() => system.close());

/** The file of a new export. */
async function exported(body: object): Promise<string> {
  const { id } = await exporting.create(owner, body);
  expect(await exporting.waitUntilFinished(owner, id)).toMatchObject({ status: 'COMPLETED' });
  return exporting.readFile(owner, id);
}

it('an export that begins while a column changes its type and name has all rows in the new form', async () => {
  const { id, number } = await seedNumbers(system, owner, 1_000);
  const table = `live.d_${number}`;
  const client = new Client({ connectionString: system.database.url });
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const files = Promise.all(FORMATS.map((format) => exported({ dataset: id, format })));
    await eventually(async () => {
      const waiting = `SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`;
      expect(await system.database.query(waiting)).not.toHaveLength(0);
    });
    await client.query(`ALTER TABLE ${table} ALTER COLUMN c1 TYPE text USING 'n' || c1`);
    await client.query(
      `UPDATE datasets.dataset_column SET name = 'm', type = 'text' WHERE dataset_id = '${id}' AND number = 1`,
    );
    await client.query(`UPDATE datasets.dataset SET revision = revision + 1 WHERE id = '${id}'`);
    await client.query('COMMIT');
    const rows = Array.from({ length: 1_000 }, (_, at) => ({ m: `n${at + 1}`, text: `row number ${at + 1}` }));
    const [csv = '', ndjson = ''] = await files;
    expect(csv).toBe(['m,text', ...rows.map(({ m, text }) => `${m},${text}`), ''].join('\n'));
    expect(ndjson).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  } finally {
    await client.end();
  }
});

const FORMATS = ['csv', 'ndjson'];

it('an export that begins while the table is cleared has no rows', async () => {
  const dataset = await seedNumbers(system, owner, 3);
  await system.callAs(owner, clearDataset, { params: { id: dataset.id } });
  expect(await exported({ dataset: dataset.id, format: 'csv' })).toBe('n,text\n');
});

it('the states of rows in an export belong to the same snapshot as the rows', async () => {
  const dataset = await seedDataset(system.database, owner, { columns: [['k', 'text']], key: ['k'] });
  const store = new DiskStore(system.folder);
  const load = async (v: number) => {
    const lines = Array.from({ length: 2_000 }, (_, k) => JSON.stringify({ k: String(k), v })).join('\n');
    const body = { format: 'ndjson' as const, encoding: 'identity' as const, ...(await store.put(Buffer.from(lines))) };
    await system.callAs(owner, appendRows, { params: { id: dataset.id }, body });
  };
  await load(0);
  let over = false;
  const loading = (async () => {
    for (let v = 1; v <= 12; v++) await load(v);
    over = true;
  })();
  const seen = new Set<string>();
  while (!over) {
    const file = await exported({ dataset: dataset.id, format: 'csv', select: 'v,_state' });
    const rows = new Set(file.trim().split('\n').slice(1));
    expect(rows.size).toBe(1);
    for (const row of rows) seen.add(row.replace(/^\d+,/, ''));
  }
  await loading;
  expect([...seen].filter((state) => state !== 'new')).toEqual(['changed']);
});
