import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { updateIndexes } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import { sqlStateOf, PROGRAM_LIMIT_EXCEEDED } from '../datasets/sql-states.js';
import { DATASETS_ENV, type DatasetsEnv } from '../env.js';
import {
  BTREE_KINDS,
  columnName,
  indexName,
  indexNamePattern,
  NO_COLUMN,
  tableName,
  type IndexId,
} from '../live/names.js';
import { FIRST_SEEN } from '../live/system-columns.js';
import { canIndexColumns } from './can-index.js';
import { createIndex, dropIndex } from './index-ddl.js';
import { planIndexes, type PhysicalIndex } from './plan-indexes.js';

/** Whoever makes indexes of a table holds this lock and the table's number. */
const LOCK_CLASS = 7_310_402;
/** A b-tree takes no more than some 2,700 bytes of a row; what could fail a merge later is not indexed. */
const MAX_TEXT_LENGTH = 1_000;

/** For transactions of before, an export or a merge: while an index waits for them, nobody can add a column to its table. */
const PATIENCE = '5min';

/**
 * Makes and drops indexes of one table, on a connection of its own: CONCURRENTLY takes its time, which is bounded by that
 * of the longest transaction around, and cannot be in one itself. What was cut off is found invalid and made anew.
 */
@Injectable()
export class UpdateIndexesJob implements OnModuleDestroy {
  private readonly open = new Set<Client>();

  constructor(
    private readonly database: Database,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @JobProcessor(updateIndexes)
  async keep({ dataset }: Payload<typeof updateIndexes>): Promise<void> {
    const client = new Client({ connectionString: this.env.DATABASE_URL, application_name: 'millrace-indexes' });
    client.on('error', () => undefined);
    this.open.add(client);
    try {
      await client.connect();
      await client.query(`SET lock_timeout = '${PATIENCE}'`);
      await this.keepOf(dataset, client);
    } finally {
      this.open.delete(client);
      await client.end().catch(() => undefined);
    }
  }

  /** What cannot be made now does not keep the others from being made. */
  private async keepOf(id: string, client: Client): Promise<void> {
    const table = await this.find(id);
    if (!table || !(await lock(client, table.number))) return;
    const plan = planIndexes(table, table.indexes, await listPhysical(client, table.number), new Date());
    for (const name of plan.drop) await client.query(dropIndex(name));
    for (const index of plan.forget) await this.database.client.datasetIndex.deleteMany({ where: recordOf(id, index) });
    for (const index of plan.ready) await this.mark(id, table.number, index, ANY, 'ready');
    const failures: unknown[] = [];
    for (const index of plan.build) {
      await this.build(id, table.number, index, client).catch((error: unknown) => failures.push(error));
    }
    // Pages go another way where there is an index.
    if (plan.changes) {
      await this.database.client.dataset.updateMany({ where: { id }, data: { revision: { increment: 1 } } });
    }
    if (failures.length > 0) throw failures[0];
    if (plan.build.length > 0) await client.query(`ANALYZE ${tableName(table.number)}`);
  }

  /**
   * Columns may change, and the table be cleared, until the index is begun, and while it waits for its turn. So it is looked
   * at before whether it can still be, and after whether it is still wished for.
   */
  private async build(id: string, number: number, index: IndexId, client: Client): Promise<void> {
    const table = await this.find(id);
    if (table?.number !== number || !canIndexColumns(index, table.columns)) return;
    if (!(await this.mark(id, number, index, ANY, 'building'))) return;
    if (await hasTooLong(client, number, index)) return void (await this.mark(id, number, index, BUILDING, 'unfit'));
    const isMade = await client.query(createIndex(number, index)).then(
      () => true,
      (error: unknown) => {
        if (sqlStateOf(error) === PROGRAM_LIMIT_EXCEEDED) return false;
        throw error;
      },
    );
    if (isMade && (await this.mark(id, number, index, BUILDING, 'ready'))) return;
    if (!isMade) await this.mark(id, number, index, BUILDING, 'unfit');
    await client.query(dropIndex(indexName(number, index)));
  }

  private find(id: string) {
    return this.database.client.dataset.findUnique({ where: { id }, include: { columns: true, indexes: true } });
  }

  /** @returns false where there is no such wish of this physical table, or something else has become of it meanwhile */
  private async mark(id: string, number: number, index: IndexId, from: string[], state: string): Promise<boolean> {
    const { count } = await this.database.client.datasetIndex.updateMany({
      where: { ...recordOf(id, index), dataset: { number }, state: { in: from } },
      data: { state },
    });
    return count === 1;
  }

  /** What is under way is left to Postgres, which ends it by itself; the service need not wait for it. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.open].map((client) => client.end()));
  }
}

/** Of what is not unfit. */
const ANY = ['wanted', 'building', 'ready'];
const BUILDING = ['building'];

const recordOf = (datasetId: string, { column, kind, by }: IndexId) => ({ datasetId, column, kind, by });

async function lock(client: Client, table: number): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', [
    LOCK_CLASS,
    table,
  ]);
  return rows[0]?.held === true;
}

async function listPhysical(client: Client, table: number): Promise<PhysicalIndex[]> {
  const { rows } = await client.query<PhysicalIndex>(
    `SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = to_regclass($1) AND c.relname ~ $2`,
    [tableName(table), indexNamePattern()],
  );
  return rows;
}

async function hasTooLong(client: Client, table: number, { column, kind, by }: IndexId): Promise<boolean> {
  if (!BTREE_KINDS.includes(kind)) return false;
  return (await isTooLong(client, table, column)) || (by !== NO_COLUMN && (await isTooLong(client, table, by)));
}

async function isTooLong(client: Client, table: number, column: number): Promise<boolean> {
  if (column === FIRST_SEEN) return false;
  const name = columnName(column);
  const { rows } = await client.query<{ long: boolean }>(
    `SELECT EXISTS (SELECT FROM ${tableName(table)} WHERE octet_length(${name}::text) > ${MAX_TEXT_LENGTH}) AS long`,
  );
  return rows[0]?.long === true;
}
