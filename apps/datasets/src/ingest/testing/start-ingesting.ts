import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { Database } from '@millrace/persistence/database';
import type { ProcessEnv } from '@millrace/service/startup/env';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { loadShape } from '../../reading/shape-cache.js';
import { start } from '../../start.js';
import { seedDataset } from '../../testing/seed-dataset.js';
import { IngestTable, FakeRuns } from './ingest-table.js';

/** The service with a fake runs service. */
export interface IngestingSystem extends SystemWithStore {
  client: Database;
  runs: FakeRuns;
  /** Creates a table. By default its key is `k`. */
  seed(key?: string[]): Promise<IngestTable>;
  seen(table: IngestTable): ReturnType<typeof seenRows>;
}

/** @param env settings of the service */
export async function startIngesting(owner: Caller, env: ProcessEnv = {}): Promise<IngestingSystem> {
  const system = await startWithStore([start], env);
  const client = new Database({
    url: String(system.database.logins['DATABASE_URL_DATASETS']),
    service: 'datasets',
    connections: 2,
  });
  const source = await system.sourceOf('runs');
  const runs = new FakeRuns(system, owner, (event, payload) => source.emit(event, payload));
  (await system.fake('runs')).on(listBoundOutputs, runs.respond);
  const close = async () => {
    await client.close();
    await system.close();
  };
  const seed = (key = ['k']) => seedIngestTable(system, owner, key);
  const seen = (table: IngestTable) => seenRows(client, table);
  return { ...system, client, runs, seed, seen, close };
}

/** Creates an empty table that has only the columns of its key, declared as text. */
export async function seedIngestTable(system: SystemWithStore, owner: Caller, key: string[]): Promise<IngestTable> {
  const columns = key.map((name): [string, ColumnType] => [name, 'text']);
  const seeded = await seedDataset(system.database, owner, { columns, key });
  return new IngestTable(system, owner, seeded);
}

/** Rows as a query returns them, by the value of column `k`. */
async function seenRows({ client }: Database, table: IngestTable): Promise<Map<string, Record<string, unknown>>> {
  const { columns = [] } = (await loadShape(client, table.table.id)) ?? {};
  const list = columns.map(({ sql }, at) => `${sql} AS v${at}`).join(', ');
  const rows = await table.query<Record<string, unknown>>(`SELECT ${list} FROM TABLE`);
  return new Map(
    rows.map((row) => {
      const named = Object.fromEntries(columns.map(({ name }, at) => [name, row[`v${at}`]]));
      return [String(named['k']), named];
    }),
  );
}
