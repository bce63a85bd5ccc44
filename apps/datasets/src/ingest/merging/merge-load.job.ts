import { Inject, Injectable } from '@nestjs/common';
import { mergeLoad } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { findRowLimit } from '../../datasets/find-row-limit.js';
import { lockDataset } from '../../datasets/lock-datasets.js';
import { sqlStateOf, PROGRAM_LIMIT_EXCEEDED } from '../../datasets/sql-states.js';
import { DATASETS_ENV, type DatasetsEnv } from '../../env.js';
import { dropTextIndexes } from '../../indexes/index-ddl.js';
import { tableName } from '../../live/names.js';
import { measureMerge } from '../../metrics/table-metrics.js';
import { LoadGuard, PermanentLoadError, lockLoad, storeRejectedRows, dropStagingTables } from '../loads/load-guard.js';
import { hasEarlierLoad, enqueueNextMerge } from '../loads/load-jobs.js';
import { VaultJobLimiter } from '../loads/vault-job-limiter.js';
import { MAX_UNCHECKED_COLUMNS } from '../staging/row-width.js';
import { alterColumns } from './columns/alter-columns.js';
import { planColumns, rereadMismatchedBatches } from './columns/plan-columns.js';
import { completeLoad } from './complete-load.js';
import { fillEmptyTable, insertRows } from './insert-rows.js';
import { findMergeOrder } from './merge-order.js';
import { planMerge, type MergePlan, runStatement } from './merge-plan.js';
import { mergeRows, type MergeResult } from './merge-rows.js';
import { readMergeState, type MergeState } from './merge-state.js';
import { findLastId, recordLoadedRows } from './record-loaded-rows.js';
import { findFormerGenerations, replaceRows } from './replace-rows.js';
import { enforceRowLimit, isWithinRowLimit, checkRowLimit } from './row-limit.js';

/** Enough for a merge of many millions of rows that also rewrites columns. */
const MERGE_TIMEOUT_MS = 6 * 3_600_000;
/** From this number of rows on an empty table is filled first and indexed afterwards. */
const MIN_BULK_ROWS = 20_000;
/** Lower than the concurrency of the job, so that one vault never delays all others. */
const MAX_CONCURRENT_PER_VAULT = mergeLoad.concurrency - 1;
/** With this memory, hash joins of millions of rows stay in memory even if three merges run at once. */
const SETTINGS = [
  "SET LOCAL work_mem = '128MB'",
  "SET LOCAL maintenance_work_mem = '256MB'",
  'SET LOCAL jit = off',
  // Rows are numbered in the order in which they were staged.
  'SET LOCAL synchronize_seqscans = off',
];

/** Every new row fits on its own; otherwise it would have been rejected. */
const ROW_TOO_LONG_MESSAGE =
  'The columns would become so wide that some rows exceed the size limit of a row (8 KB). Load the rows into a table with fewer columns.';

/** Merges the staged rows of a load into its table. Safe to repeat: only a load that is MERGING is merged. */
@Injectable()
export class MergeLoadJob {
  private readonly limiter = new VaultJobLimiter(MAX_CONCURRENT_PER_VAULT, (vault, load) =>
    this.database.transaction((tx) => Promise.resolve(tx.enqueue(mergeLoad, { load, vault }))),
  );

  constructor(
    private readonly database: Database,
    private readonly guard: LoadGuard,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @JobProcessor(mergeLoad)
  merge({ load: id, vault }: Payload<typeof mergeLoad>): Promise<void> {
    return this.limiter.run(vault, id, () => this.mergeIfReady(BigInt(id)));
  }

  private async mergeIfReady(id: bigint): Promise<void> {
    const load = await this.database.client.load.findUnique({ where: { id } });
    if (load?.status !== 'MERGING') return;
    await this.guard.run(load, async () => {
      try {
        await this.prepareColumns(load);
        await this.mergeWithRetry(load);
      } catch (error) {
        throw sqlStateOf(error) === PROGRAM_LIMIT_EXCEEDED ? new PermanentLoadError(ROW_TOO_LONG_MESSAGE) : error;
      }
    });
    await this.analyze(load);
  }

  /**
   * Alters the columns of a table with rows in a transaction of its own, so that queries wait for this step and not for the
   * whole merge. Skipped if the rows may still be refused, because a refused load must not change the columns.
   */
  private async prepareColumns(load: Load): Promise<void> {
    await this.withLockedLoad(load, async (tx, state) => {
      if (state.table.rows === 0n || (await rereadMismatchedBatches(tx, state))) return;
      const columns = planColumns(state);
      const width = state.table.columns.length + columns.filter(({ number }) => number === null).length;
      const canRefuseRows = width > MAX_UNCHECKED_COLUMNS || (await this.findLimit(tx, state)) !== undefined;
      if (!canRefuseRows) await alterColumns(tx, state.table, columns);
    });
  }

  /** If a value is too long for an existing index, drops the index instead of failing the load. */
  private async mergeWithRetry(load: Load): Promise<void> {
    try {
      await this.mergeOnce(load);
    } catch (error) {
      const isTooLong = sqlStateOf(error) === PROGRAM_LIMIT_EXCEEDED;
      if (!isTooLong || !(await dropTextIndexes(this.database, load.datasetId))) throw error;
      await this.mergeOnce(load);
    }
  }

  private async mergeOnce(load: Load): Promise<void> {
    const merged = await this.withLockedLoad(load, async (tx, state) => {
      if (await rereadMismatchedBatches(tx, state)) return null;
      for (const setting of SETTINGS) await runStatement(tx, setting);
      const { written } = await alterColumns(tx, state.table, planColumns(state));
      const plan = planMerge(state, written, await findMergeOrder(tx, load));
      const lastId = await findLastId(tx, plan);
      const limit = await this.findLimit(tx, state);
      const result = await this.writeRows(tx, state, plan, limit);
      await enforceRowLimit(tx, state.table, result.created - result.removed, limit);
      await storeRejectedRows(tx, load);
      await completeLoad(tx, state, plan, result);
      await recordLoadedRows(tx, load, plan, { ...result, lastId });
      await dropStagingTables(tx, load.id);
      await enqueueNextMerge(tx, load);
      return result;
    });
    if (merged) measureMerge(load, merged);
  }

  private findLimit(tx: Transaction, { table }: MergeState): Promise<number | undefined> {
    return findRowLimit(tx, table.vaultId, this.env.LIVE_ROWS_LIMIT);
  }

  private async writeRows(
    tx: Transaction,
    state: MergeState,
    plan: MergePlan,
    limit: number | undefined,
  ): Promise<MergeResult> {
    const { load, table, batches } = state;
    const none = { changed: 0, unchanged: 0, gone: 0, removed: 0 };
    const count = Number(batches.reduce((sum, { rows }) => sum + rows, 0n));
    if (plan.keyColumns.length === 0) {
      const former = await findFormerGenerations(tx, load);
      if (former.length > 0) return replaceRows(tx, plan, former, (added) => checkRowLimit(tx, table, added, limit));
      await checkRowLimit(tx, table, count, limit);
      return { ...none, created: await insertRows(tx, plan), coversSource: plan.complete };
    }
    if (table.rows === 0n && count >= MIN_BULK_ROWS && (await isWithinRowLimit(tx, table, count, limit))) {
      const created = await fillEmptyTable(tx, plan);
      if (created !== null) return { ...none, created, coversSource: true };
    }
    return mergeRows(tx, plan, (created) => checkRowLimit(tx, table, created, limit));
  }

  /** Skips the work if the table was deleted, the load is no longer MERGING, or an earlier load is unfinished. */
  private withLockedLoad<T>(load: Load, work: (tx: Transaction, state: MergeState) => Promise<T>): Promise<T | null> {
    return this.database.transaction(
      async (tx) => {
        if (!(await lockDataset(tx, load.datasetId)) || !(await lockLoad(tx, load, 'MERGING'))) return null;
        if (await hasEarlierLoad(tx, load)) return null;
        return work(tx, await readMergeState(tx, load));
      },
      { timeoutMs: MERGE_TIMEOUT_MS },
    );
  }

  /** Autovacuum does this within a minute, but until then queries would be planned for a table without rows. */
  private async analyze(load: Load): Promise<void> {
    const table = await this.database.client.dataset.findUnique({ where: { id: load.datasetId } });
    if (!table || table.rows < MIN_BULK_ROWS) return;
    await this.database.client.$executeRaw(Prisma.raw(`ANALYZE ${tableName(table.number)}`)).catch(() => undefined);
  }
}
