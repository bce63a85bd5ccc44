import type { ColumnType } from '@millrace/contracts/datasets/datasets';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import { appendRows } from '@millrace/contracts/datasets/rows';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { Database } from '@millrace/persistence/database';
import { startWithStore, type StoringSystem } from '@millrace/testkit/start-with-store';
import { start } from '../../start.js';
import { seedDataset } from '../../testing/seed-dataset.js';
import { IngestTable, PlayedRuns } from './ingest-table.js';

/** The service beside runs that are played. */
export interface IngestingSystem extends StoringSystem {
  client: Database;
  runs: PlayedRuns;
}

export async function startIngesting(owner: Caller): Promise<IngestingSystem> {
  const system = await startWithStore([start]);
  const client = new Database({ url: system.database.url, service: 'datasets', connections: 2 });
  const source = await system.sourceOf('runs');
  const runs = new PlayedRuns(system, owner, (event, payload) => source.emit(event, payload));
  (await system.play('runs')).on(listBoundOutputs, runs.answer);
  const close = async () => {
    await client.close();
    await system.close();
  };
  return { ...system, client, runs, close };
}

/** A table without rows, of the columns of its key alone, which are declared text. */
export async function seedIngestTable(system: StoringSystem, owner: Caller, key: string[]): Promise<IngestTable> {
  const columns = key.map((name): [string, ColumnType] => [name, 'text']);
  const seeded = await seedDataset(system.database, owner, { columns, key });
  return new IngestTable(system, owner, seeded, (input) => system.askAs(owner, appendRows, input));
}
