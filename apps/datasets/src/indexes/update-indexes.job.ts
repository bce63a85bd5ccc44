import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Client } from 'pg';
import { updateIndexes } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { postgresOptions } from '@millrace/persistence/connections/postgres-options';
import { Database } from '@millrace/persistence/database';
import { sqlStateOf, PROGRAM_LIMIT_EXCEEDED } from '../datasets/sql-states.js';
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
import { canIndexColumns } from './candidate-index.js';
import { createIndex, dropIndex } from './index-ddl.js';
import { planIndexes, type PhysicalIndex } from './plan-indexes.js';

/** Class of the advisory lock for updating a table's indexes; the second key is the table's number. */
const LOCK_CLASS = 7_310_402;
/** A b-tree accepts about 2,700 bytes for a row. Longer texts are not indexed, because a later merge could fail. */
const MAX_TEXT_LENGTH = 1_000;

/**
 * Updates of a table by one job. A column may change during an update, and no second job of the table is enqueued then, so
 * the job repeats until nothing is left to do.
 */
const MAX_ROUNDS = 5;

/**
 * Waiting time for older transactions, such as an export or a merge. Columns cannot be added to the table while an index
 * waits.
 */
const LOCK_TIMEOUT = '5min';

/**
 * Builds and drops the indexes of one table on a connection of its own. CONCURRENTLY cannot run in a transaction and may take
 * as long as the longest other transaction. An index whose build was interrupted is invalid and is built again.
 */
@Injectable()
export class UpdateIndexesJob implements OnModuleDestroy {
  private readonly open = new Set<Client>();

  constructor(private readonly database: Database) {}

  @JobProcessor(updateIndexes)
  async update({ dataset }: Payload<typeof updateIndexes>): Promise<void> {
    const client = new Client({ ...postgresOptions(this.database.server), application_name: 'millrace-indexes' });
    client.on('error', () => undefined);
    this.open.add(client);
    try {
      await client.connect();
      await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
      for (let round = 0; round < MAX_ROUNDS && (await this.updateTable(dataset, client)); round += 1);
    } finally {
      this.open.delete(client);
      await client.end().catch(() => undefined);
    }
  }

  /**
   * If one index cannot be built, the others still are.
   * @returns whether anything changed
   */
  private async updateTable(id: string, client: Client): Promise<boolean> {
    const table = await this.find(id);
    if (!table || !(await lock(client, table.number))) return false;
    const plan = planIndexes(table, table.indexes, await listPhysical(client, table.number), new Date());
    for (const name of plan.drop) await client.query(dropIndex(name));
    for (const index of plan.forget) await this.database.client.datasetIndex.deleteMany({ where: recordOf(id, index) });
    for (const index of plan.ready) await this.mark(id, table.number, index, ANY_FIT, 'ready');
    const failures: unknown[] = [];
    for (const index of plan.build) {
      await this.build(id, table.number, index, client).catch((error: unknown) => failures.push(error));
    }
    // Query plans for pages depend on the indexes.
    if (plan.changes) {
      await this.database.client.dataset.updateMany({ where: { id }, data: { revision: { increment: 1 } } });
    }
    if (failures.length > 0) throw failures[0];
    if (plan.build.length > 0) await client.query(`ANALYZE ${tableName(table.number)}`);
    return plan.changes;
  }

  /**
   * The columns may change and the table may be cleared before and during the build. So the index is checked against the
   * columns before the build, and against its record afterwards.
   */
  private async build(id: string, number: number, index: IndexId, client: Client): Promise<void> {
    const table = await this.find(id);
    if (table?.number !== number || !canIndexColumns(index, table.columns)) return;
    if (!(await this.mark(id, number, index, ANY_FIT, 'building'))) return;
    if (await hasTooLong(client, number, index)) return void (await this.mark(id, number, index, BUILDING, 'unfit'));
    const isBuilt = await client.query(createIndex(number, index)).then(
      () => true,
      (error: unknown) => {
        if (sqlStateOf(error) === PROGRAM_LIMIT_EXCEEDED) return false;
        throw error;
      },
    );
    if (isBuilt && (await this.mark(id, number, index, BUILDING, 'ready'))) return;
    if (!isBuilt) await this.mark(id, number, index, BUILDING, 'unfit');
    await client.query(dropIndex(indexName(number, index)));
  }

  private find(id: string) {
    return this.database.client.dataset.findUnique({ where: { id }, include: { columns: true, indexes: true } });
  }

  /** @returns false if the physical table has no such record, or its state has changed */
  private async mark(id: string, number: number, index: IndexId, from: string[], state: string): Promise<boolean> {
    const { count } = await this.database.client.datasetIndex.updateMany({
      where: { ...recordOf(id, index), dataset: { number }, state: { in: from } },
      data: { state },
    });
    return count === 1;
  }

  /** Postgres completes or ends running statements by itself, so the service does not wait for them. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.open].map((client) => client.end()));
  }
}

/** All states except `unfit`. */
const ANY_FIT = ['wanted', 'building', 'ready'];
const BUILDING = ['building'];

const recordOf = (datasetId: string, { column, kind, by }: IndexId) => ({ datasetId, column, kind, by });

async function lock(client: Client, table: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS locked', [
    LOCK_CLASS,
    table,
  ]);
  return rows[0]?.locked === true;
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
