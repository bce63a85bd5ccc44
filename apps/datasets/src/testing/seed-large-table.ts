import { listIndexes } from '@millrace/contracts/datasets/columns';
import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { appendRows, queryRows } from '@millrace/contracts/datasets/rows';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { ownerCaller } from '@millrace/testkit/callers';
import type { FreshDatabase } from '@millrace/testkit/fresh-database';
import type { SystemWithStore } from '@millrace/testkit/start-with-store';
import { jsonLines } from '../ingest/testing/ingest-table.js';
import { insertRows, seedDataset } from './seed-dataset.js';

/** Seeds a table with `rows` rows of host, port and tech. Returns functions that use it. */
export async function seedLargeTable(system: SystemWithStore, rows: number, key: string[] = []) {
  const owner = ownerCaller();
  const columns: [string, ColumnType][] = [
    ['host', 'text'],
    ['port', 'bigint'],
    ['tech', 'json'],
  ];
  const table = await seedDataset(system.database, owner, { columns, key });
  await insertRows(
    system.database,
    table,
    3,
    `'host-' || n || '.example.com', n % 5000, jsonb_build_array('t' || n % 1000) FROM generate_series(1, ${rows}) n`,
  );
  await system.database.query(`ANALYZE live.d_${table.number}`);
  const params = { id: table.id };
  const search = (query: object) => system.callAs(owner, queryRows, { params, query: { page_size: 5, ...query } });
  return {
    owner,
    table,
    search,
    searchTwice: async (query: object) => {
      await search(query);
      return search(query);
    },
    append: async (...rows: object[]) => {
      const stored = await new DiskStore(system.folder).put(Buffer.from(jsonLines(rows)));
      const body = { format: 'ndjson' as const, encoding: 'identity' as const, ...stored };
      return system.callAs(owner, appendRows, { params, body });
    },
    listed: async () => (await system.callAs(owner, listIndexes, { params })).results,
  };
}

/** Indexes of a physical table in Postgres, except those of keys. */
export async function physicalIndexes(database: FreshDatabase, number: number): Promise<string[]> {
  const indexes = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = to_regclass('live.d_' || $1) AND NOT i.indisunique AND i.indisvalid ORDER BY 1`,
    [number],
  );
  return indexes.map(({ name }) => name);
}
