import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { createExport, downloadExport, getExport } from '@millrace/contracts/datasets/exports';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { POSTGRES_TYPE } from '../../live/cast-sql.js';
import { columnName, tableName } from '../../live/names.js';
import { start } from '../../start.js';
import { seedDataset, type SeededDataset } from '../../testing/seed-dataset.js';

interface Queries {
  query<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
}

/** Starts the service, and gives a suite functions for its exports. */
export async function startExporting(): Promise<{ system: SystemWithStore; exporting: Exporting }> {
  const system = await startWithStore([start]);
  return { system, exporting: createExporting(system) };
}

export type Exporting = ReturnType<typeof createExporting>;

/** Functions for the exports of a started system. */
export function createExporting({ folder, callAs }: SystemWithStore) {
  const store = new DiskStore(join(folder, 'exports'));
  const get = (caller: Caller, id: string) => callAs(caller, getExport, { params: { id } });
  return {
    store,
    get,
    create: (caller: Caller, body: Partial<Request<typeof createExport>['body']>) =>
      callAs(caller, createExport, { body: { format: 'csv', ...body } }),
    /** Waits until the export is completed or has failed. */
    waitUntilFinished: (caller: Caller, id: string) =>
      eventually(async () => {
        const record = await get(caller, id);
        if (record.status === 'PENDING' || record.status === 'RUNNING')
          throw new Error(`Export ${id} is still ${record.status}`);
        return record;
      }),
    readFile: async (caller: Caller, id: string) =>
      text(store.read((await callAs(caller, downloadExport, { params: { id } })).sha256)),
  };
}

/** Creates a table of three hosts with their ports. */
export async function seedHosts(
  { database }: { database: Queries },
  owner: Caller,
  options: { space?: string } = {},
): Promise<SeededDataset> {
  const seeded = await seedDataset(database, owner, {
    columns: [
      ['host', 'text'],
      ['port', 'bigint'],
    ],
    name: 'Hosts',
    ...options,
  });
  const rows = [
    ['b.example.org', '443'],
    ['a.example.org', '-80'],
    ['=1+1', null],
  ];
  await fillTable(database, { number: seeded.number, types: ['text', 'bigint'] }, rows);
  return seeded;
}

/** Creates a table of the numbers from 1 on, each with a text. */
export async function seedNumbers(
  { database }: { database: Queries },
  owner: Caller,
  rows: number,
): Promise<SeededDataset> {
  const seeded = await seedDataset(database, owner, {
    columns: [
      ['n', 'bigint'],
      ['text', 'text'],
    ],
  });
  await database.query(
    `INSERT INTO live.d_${seeded.number} (_s, _f, c1, c2)
     SELECT 0, 1700000000000, n, 'row number ' || n FROM generate_series(1, $1::int) n`,
    [rows],
  );
  return seeded;
}

/** Puts rows straight into a table, each a list of its values as texts that Postgres reads. */
export async function fillTable(
  database: Queries,
  { number, types }: { number: number; types: readonly ColumnType[] },
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = types.map((_, at) => columnName(at + 1));
  const values = types.map((type, at) => `, (r->>${at})::${POSTGRES_TYPE[type].replace(' COLLATE "C"', '')}`);
  await database.query(
    `INSERT INTO ${tableName(number)} (_s, _f${names.map((name) => `, ${name}`).join('')})
     SELECT 0, 1700000000000${values.join('')}
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS t (r, place) ORDER BY place`,
    [JSON.stringify(rows)],
  );
}
