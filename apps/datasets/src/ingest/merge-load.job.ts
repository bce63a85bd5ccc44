import { Inject, Injectable } from '@nestjs/common';
import { mergeLoad } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database, type Transaction } from '@millrace/persistence/database';
import { Prisma, type Load } from '@millrace/persistence/generated/client';
import { lockDataset } from '../datasets/lock-dataset.js';
import { sqlStateOf, PROGRAM_LIMIT_EXCEEDED } from '../datasets/sql-states.js';
import { DATASETS_ENV, type DatasetsEnv } from '../env.js';
import { dropTextIndexes } from '../indexes/drop-text-indexes.js';
import { tableName } from '../live/names.js';
import { dropStaging } from './loads/drop-staging.js';
import { LoadGuard, LoadImpossible } from './loads/guard-load.js';
import { keepRejected } from './loads/keep-rejected.js';
import { lockLoad } from './loads/lock-load.js';
import { isOvertaken, mustWait, releaseNext } from './loads/order-loads.js';
import { VaultTurns } from './loads/vault-turns.js';
import { appendRows } from './merging/append-rows.js';
import { changeShape } from './merging/change-shape.js';
import { checkLimit, hasRoom, refuseBeyond } from './merging/check-limit.js';
import { fillTable } from './merging/fill-table.js';
import { keptRows } from './merging/kept-rows.js';
import { planMerge, type MergePlan } from './merging/merge-plan.js';
import { mergeRows, type Merged } from './merging/merge-rows.js';
import { nextGeneration } from './merging/next-generation.js';
import { orderRereading } from './merging/order-rereading.js';
import { planColumns } from './merging/plan-columns.js';
import { readState, type MergeState } from './merging/read-state.js';
import { run } from './merging/run-statement.js';
import { settleLoad } from './merging/settle-load.js';
import { NARROW } from './staging/row-width.js';

/** A merge of many millions of rows, and of columns that are rewritten, may take so long. */
const TIMEOUT_MS = 6 * 3_600_000;
/** From so many rows on an empty table is filled first and indexed then. */
const MANY_ROWS = 20_000;
/** Merges of one vault at once, fewer than there are in all. */
const MAX_OF_VAULT = mergeLoad.concurrency - 1;
/** Hash joins of millions of rows stay in memory; three merges may be at work. */
const SETTINGS = [
  "SET LOCAL work_mem = '128MB'",
  "SET LOCAL maintenance_work_mem = '256MB'",
  'SET LOCAL jit = off',
  // Rows are numbered in the order in which they were staged.
  'SET LOCAL synchronize_seqscans = off',
];

/** Each row was short enough for itself, or it would have been rejected. */
const OUTGROWN =
  'Some rows would be too long, with columns as wide as the rows of the table and the new ones need them together';

/** Brings what was staged into the table. May be done again: only of a load that waits for it anything is done. */
@Injectable()
export class MergeLoad {
  private readonly turns = new VaultTurns(MAX_OF_VAULT, (vault, load) =>
    this.database.transaction((tx) => Promise.resolve(tx.enqueue(mergeLoad, { load, vault }))),
  );

  constructor(
    private readonly database: Database,
    private readonly loads: LoadGuard,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @JobProcessor(mergeLoad)
  merge({ load: id, vault }: Payload<typeof mergeLoad>): Promise<void> {
    return this.turns.run(vault, id, () => this.mergeNow(BigInt(id)));
  }

  private async mergeNow(id: bigint): Promise<void> {
    const load = await this.database.client.load.findUnique({ where: { id } });
    if (load?.status !== 'MERGING') return;
    await this.loads.guard(load, async () => {
      try {
        await this.prepareShape(load);
        await this.mergeStaged(load);
      } catch (error) {
        throw sqlStateOf(error) === PROGRAM_LIMIT_EXCEEDED ? new LoadImpossible(OUTGROWN) : error;
      }
    });
    await this.analyse(load);
  }

  /**
   * Where the table has rows its columns are changed first, for itself: queries wait for that, and not for the merge. Not
   * where the rows may be refused, which has to leave the columns as they are.
   */
  private prepareShape(load: Load): Promise<void> {
    return this.hold(load, async (tx, state) => {
      if (state.table.rows === 0n || (await orderRereading(tx, state))) return;
      const columns = planColumns(state);
      const width = state.table.columns.length + columns.filter(({ number }) => number === null).length;
      if (width <= NARROW && this.env.LIVE_ROWS_LIMIT === undefined) await changeShape(tx, state.table, columns);
    });
  }

  /** A value that is too long for an index that was made of shorter ones costs that index, and not the load. */
  private async mergeStaged(load: Load): Promise<void> {
    try {
      await this.mergeOnce(load);
    } catch (error) {
      if (sqlStateOf(error) !== PROGRAM_LIMIT_EXCEEDED || !(await dropTextIndexes(this.database, load.datasetId)))
        throw error;
      await this.mergeOnce(load);
    }
  }

  private mergeOnce(load: Load): Promise<void> {
    return this.hold(load, async (tx, state) => {
      if (await orderRereading(tx, state)) return;
      for (const setting of SETTINGS) await run(tx, setting);
      const { written } = await changeShape(tx, state.table, planColumns(state));
      const moment = await nextGeneration(tx, load.datasetId, load.source);
      const order = { overtaken: await isOvertaken(tx, load), kept: await keptRows(tx, load) };
      const plan = planMerge(state, written, { ...moment, ...order });
      const counts = await this.write(tx, state, plan);
      await checkLimit(tx, state.table, counts.created, this.env.LIVE_ROWS_LIMIT);
      await keepRejected(tx, load);
      await settleLoad(tx, state, plan, counts);
      await dropStaging(tx, load.id);
      await releaseNext(tx, load);
    });
  }

  private async write(tx: Transaction, { table, batches }: MergeState, plan: MergePlan): Promise<Merged> {
    const limit = this.env.LIVE_ROWS_LIMIT;
    const none = { changed: 0, unchanged: 0, gone: 0 };
    const count = Number(batches.reduce((sum, { rows }) => sum + rows, 0n));
    if (plan.key.length === 0) {
      await refuseBeyond(tx, table, count, limit);
      return { ...none, created: await appendRows(tx, plan), covers: plan.complete };
    }
    if (table.rows === 0n && count >= MANY_ROWS && (await hasRoom(tx, table, count, limit))) {
      const created = await fillTable(tx, plan);
      if (created !== null) return { ...none, created, covers: true };
    }
    return mergeRows(tx, plan, (created) => refuseBeyond(tx, table, created, limit));
  }

  /** @param work is not called where the table is gone, or the load is over, not at its merge any more, or has to wait */
  private hold(load: Load, work: (tx: Transaction, state: MergeState) => Promise<void>): Promise<void> {
    return this.database.transaction(
      async (tx) => {
        if (!(await lockDataset(tx, load.datasetId)) || !(await lockLoad(tx, load, 'MERGING'))) return;
        if (await mustWait(tx, load)) return;
        await work(tx, await readState(tx, load));
      },
      { timeoutMs: TIMEOUT_MS },
    );
  }

  /** Postgres would do it by itself within a minute; queries until then would be planned for a table without rows. */
  private async analyse(load: Load): Promise<void> {
    const table = await this.database.client.dataset.findUnique({ where: { id: load.datasetId } });
    if (!table || table.rows < MANY_ROWS) return;
    await this.database.client.$executeRaw(Prisma.raw(`ANALYZE ${tableName(table.number)}`)).catch(() => undefined);
  }
}
