import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createExport, downloadExport, getExport } from '@millrace/contracts/datasets/exports';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { DiskStore } from '@millrace/storage/disk-store';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type StoringSystem } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';
import { seedDataset, type SeededDataset } from '../../testing/seed-dataset.js';
import { fillTable } from './fill-table.js';

interface Queries {
  query<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
}

/** The service, and what a suite does with its exports. */
export async function startExporting(): Promise<{ system: StoringSystem; exporting: Exporting }> {
  const system = await startWithStore([start]);
  return { system, exporting: exportingOn(system) };
}

export type Exporting = ReturnType<typeof exportingOn>;

/** What a suite does with exports, of the services that it has started. */
export function exportingOn({ folder, callAs }: StoringSystem) {
  const store = new DiskStore(join(folder, 'exports'));
  const get = (caller: Caller, id: string) => callAs(caller, getExport, { params: { id } });
  return {
    store,
    get,
    order: (caller: Caller, body: Partial<Request<typeof createExport>['body']>) =>
      callAs(caller, createExport, { body: { format: 'csv', ...body } }),
    /** As it is when it has ended, either way. */
    untilOver: (caller: Caller, id: string) =>
      eventually(async () => {
        const record = await get(caller, id);
        if (record.status === 'PENDING' || record.status === 'RUNNING') throw new Error(`it is ${record.status}`);
        return record;
      }),
    fileOf: async (caller: Caller, id: string) =>
      text(store.read((await callAs(caller, downloadExport, { params: { id } })).sha256)),
  };
}

/** Three hosts with their ports. */
export async function seedHosts(
  { database }: { database: Queries },
  owner: Caller,
  given: { space?: string } = {},
): Promise<SeededDataset> {
  const seeded = await seedDataset(database, owner, {
    columns: [
      ['host', 'text'],
      ['port', 'bigint'],
    ],
    name: 'Hosts',
    ...given,
  });
  const rows = [
    ['b.example.org', '443'],
    ['a.example.org', '-80'],
    ['=1+1', null],
  ];
  await fillTable(database, { number: seeded.number, types: ['text', 'bigint'] }, rows);
  return seeded;
}

/** Numbers from 1 on, each with some text. */
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
