import { Inject, Injectable } from '@nestjs/common';
import { mergeLoad } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { lockDataset } from '../../datasets/lock-dataset.js';
import { sqlStateOf, PROGRAM_LIMIT_EXCEEDED } from '../../datasets/sql-states.js';
import { DATASETS_ENV, type DatasetsEnv } from '../../env.js';
import { dropTextIndexes } from '../../indexes/drop-text-indexes.js';
import { tableName } from '../../live/names.js';
import { LoadGuard, PermanentLoadError } from '../loads/load-guard.js';
import { isOvertaken, hasEarlierLoad, enqueueNextMerge } from '../loads/load-order.js';
import { lockLoad } from '../loads/lock-load.js';
import { storeRejectedRows } from '../loads/store-rejected-rows.js';
import { VaultJobLimiter } from '../loads/vault-job-limiter.js';
import { dropStagingTables } from '../staging/drop-staging-tables.js';
import { MAX_UNCHECKED_COLUMNS } from '../staging/row-width.js';
import { insertRows } from './append-rows.js';
import { alterColumns } from './columns/alter-columns.js';
import { planColumns } from './columns/plan-columns.js';
import { completeLoad } from './complete-load.js';
import { fillEmptyTable } from './insert-rows.js';
import { keptRows } from './kept-rows.js';
import { nextGeneration } from './merge-order.js';
import { planMerge, type MergePlan } from './merge-plan.js';
import { mergeRows, type MergeResult } from './merge-rows.js';
import { readMergeState, type MergeState } from './merge-state.js';
import { rereadMismatchedBatches } from './reread-batches.js';
import { enforceRowLimit, isWithinRowLimit, checkRowLimit } from './row-limit.js';
import { runStatement } from './run-statement.js';

/** A merge of many millions of rows, and of columns that are rewritten, may take so long. */
const MERGE_TIMEOUT_MS = 6 * 3_600_000;
/** From so many rows on an empty table is filled first and indexed then. */
const MIN_BULK_ROWS = 20_000;
/** Merges of one vault at once, fewer than there are in all. */
const MAX_CONCURRENT_PER_VAULT = mergeLoad.concurrency - 1;
/** Hash joins of millions of rows stay in memory; three merges may be at work. */
const SETTINGS = [
  "SET LOCAL work_mem = '128MB'",
  "SET LOCAL maintenance_work_mem = '256MB'",
  'SET LOCAL jit = off',
  // Rows are numbered in the order in which they were staged.
  'SET LOCAL synchronize_seqscans = off',
];

/** Each row was short enough for itself, or it would have been rejected. */
const ROW_TOO_LONG_MESSAGE =
  'Some rows would be too long, with columns as wide as the rows of the table and the new ones need them together';

/** Brings what was staged into the table. May be done again: only of a load that waits for it anything is done. */
@Injectable()
export class MergeLoadJob {
  private readonly limiter = new VaultJobLimiter(MAX_CONCURRENT_PER_VAULT, (vault, load) =>
    this.database.transaction((tx) => Promise.resolve(tx.enqueue(mergeLoad, { load, vault }))),
  );

  constructor(
    private readonly database: Database,
    private readonly loads: LoadGuard,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @JobProcessor(mergeLoad)
  merge({ load: id, vault }: Payload<typeof mergeLoad>): Promise<void> {
    return this.limiter.run(vault, id, () => this.mergeIfReady(BigInt(id)));
  }

  private async mergeIfReady(id: bigint): Promise<void> {
    const load = await this.database.client.load.findUnique({ where: { id } });
    if (load?.status !== 'MERGING') return;
    await this.loads.run(load, async () => {
      try {
        await this.prepareColumns(load);
        await this.mergeWithRetry(load);
      } catch (error) {
        throw sqlStateOf(error) === PROGRAM_LIMIT_EXCEEDED ? new PermanentLoadError(ROW_TOO_LONG_MESSAGE) : error;
      }
    });
    await this.analyse(load);
  }

  /**
   * Where the table has rows its columns are changed first, for itself: queries wait for that, and not for the merge. Not
   * where the rows may be refused, which has to leave the columns as they are.
   */
  private prepareColumns(load: Load): Promise<void> {
    return this.withLockedLoad(load, async (tx, state) => {
      if (state.table.rows === 0n || (await rereadMismatchedBatches(tx, state))) return;
      const columns = planColumns(state);
      const width = state.table.columns.length + columns.filter(({ number }) => number === null).length;
      if (width <= MAX_UNCHECKED_COLUMNS && this.env.LIVE_ROWS_LIMIT === undefined)
        await alterColumns(tx, state.table, columns);
    });
  }

  /** A value that is too long for an index that was made of shorter ones costs that index, and not the load. */
  private async mergeWithRetry(load: Load): Promise<void> {
    try {
      await this.mergeOnce(load);
    } catch (error) {
      if (sqlStateOf(error) !== PROGRAM_LIMIT_EXCEEDED || !(await dropTextIndexes(this.database, load.datasetId)))
        throw error;
      await this.mergeOnce(load);
    }
  }

  private mergeOnce(load: Load): Promise<void> {
    return this.withLockedLoad(load, async (tx, state) => {
      if (await rereadMismatchedBatches(tx, state)) return;
      for (const setting of SETTINGS) await runStatement(tx, setting);
      const { written } = await alterColumns(tx, state.table, planColumns(state));
      const moment = await nextGeneration(tx, load.datasetId, load.source);
      const order = { overtaken: await isOvertaken(tx, load), protectedRows: await keptRows(tx, load) };
      const plan = planMerge(state, written, { ...moment, ...order });
      const counts = await this.writeRows(tx, state, plan);
      await enforceRowLimit(tx, state.table, counts.created, this.env.LIVE_ROWS_LIMIT);
      await storeRejectedRows(tx, load);
      await completeLoad(tx, state, plan, counts);
      await dropStagingTables(tx, load.id);
      await enqueueNextMerge(tx, load);
    });
  }

  private async writeRows(tx: Transaction, { table, batches }: MergeState, plan: MergePlan): Promise<MergeResult> {
    const limit = this.env.LIVE_ROWS_LIMIT;
    const none = { changed: 0, unchanged: 0, gone: 0 };
    const count = Number(batches.reduce((sum, { rows }) => sum + rows, 0n));
    if (plan.keyColumns.length === 0) {
      await checkRowLimit(tx, table, count, limit);
      return { ...none, created: await insertRows(tx, plan), coversSource: plan.complete };
    }
    if (table.rows === 0n && count >= MIN_BULK_ROWS && (await isWithinRowLimit(tx, table, count, limit))) {
      const created = await fillEmptyTable(tx, plan);
      if (created !== null) return { ...none, created, coversSource: true };
    }
    return mergeRows(tx, plan, (created) => checkRowLimit(tx, table, created, limit));
  }

  /** @param work is not called where the table is gone, or the load is over, not at its merge any more, or has to wait */
  private withLockedLoad(load: Load, work: (tx: Transaction, state: MergeState) => Promise<void>): Promise<void> {
    return this.database.transaction(
      async (tx) => {
        if (!(await lockDataset(tx, load.datasetId)) || !(await lockLoad(tx, load, 'MERGING'))) return;
        if (await hasEarlierLoad(tx, load)) return;
        await work(tx, await readMergeState(tx, load));
      },
      { timeoutMs: MERGE_TIMEOUT_MS },
    );
  }

  /** Postgres would do it by itself within a minute; queries until then would be planned for a table without rows. */
  private async analyse(load: Load): Promise<void> {
    const table = await this.database.client.dataset.findUnique({ where: { id: load.datasetId } });
    if (!table || table.rows < MIN_BULK_ROWS) return;
    await this.database.client.$executeRaw(Prisma.raw(`ANALYZE ${tableName(table.number)}`)).catch(() => undefined);
  }
}
