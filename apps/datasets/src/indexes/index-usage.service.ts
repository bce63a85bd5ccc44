import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { updateIndexes } from '@millrace/contracts/datasets/jobs';
import { Database } from '@millrace/persistence/database';
import type { UsedColumn } from '@millrace/query/fields/used-columns';
import type { IndexId } from '../live/names.js';
import type { LiveShape } from '../reading/live-shape.js';
import { candidateIndex } from './candidate-index.js';

/** Below this reading the whole table is as quick. */
export const MIN_INDEXED_ROWS = 10_000;
/** What was asked once may never be asked again. */
export const MIN_INDEX_USES = 2;
/** What is known of a table's wishes; more are let go until some are forgotten. */
export const MAX_INDEX_RECORDS = 200;
/** Between two flushes. */
const MAX_BUFFERED_USES = 10_000;
const FLUSH_INTERVAL_MS = 2_000;
/** How often at the most a table's indexes are looked after for what is asked of it. */
const MIN_UPDATE_INTERVAL_MS = 30_000;

interface IndexUse extends IndexId {
  dataset: string;
  uses: number;
}

/** Counts which indexes queries would use, and orders those that are missing. */
@Injectable()
export class IndexUsageService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IndexUsageService.name);
  private readonly buffered = new Map<string, IndexUse>();
  /** When those of a physical table were ordered last. */
  private readonly lastUpdates = new Map<number, number>();
  /** Datasets whose indexes are wanted sooner than their pace allows, by physical table. */
  private readonly pending = new Map<number, string>();
  private timer?: NodeJS.Timeout;
  private flushing = Promise.resolve();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void (this.flushing = this.flush()), FLUSH_INTERVAL_MS);
  }

  /** A query was asked, which each of these would serve. */
  recordAll(shape: LiveShape, uses: readonly UsedColumn[]): void {
    for (const wished of this.findCandidates(shape, uses)) this.add(shape.id, wished);
  }

  /** A query was asked, which any of these would serve. */
  recordFirst(shape: LiveShape, uses: readonly UsedColumn[]): void {
    for (const wished of this.findCandidates(shape, uses).slice(0, 1)) this.add(shape.id, wished);
  }

  private findCandidates(shape: LiveShape, uses: readonly UsedColumn[]): IndexId[] {
    return shape.rows <= MIN_INDEXED_ROWS ? [] : uses.flatMap((used) => candidateIndex(shape, used) ?? []);
  }

  private add(dataset: string, wished: IndexId): void {
    const key = `${dataset} ${wished.column} ${wished.kind} ${wished.by}`;
    const wish = this.buffered.get(key);
    if (wish) wish.uses += 1;
    else if (this.buffered.size < MAX_BUFFERED_USES) this.buffered.set(key, { ...wished, dataset, uses: 1 });
  }

  private async flush(): Promise<void> {
    const wishes = [...this.buffered.values()];
    this.buffered.clear();
    if (wishes.length + this.pending.size === 0) return;
    try {
      await this.write(wishes);
    } catch (error) {
      // They are asked for again, if they are wanted at all.
      this.logger.warn({ message: 'Wishes for indexes are lost', error });
    }
  }

  private async write(wishes: IndexUse[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      const missing = await tx.$queryRaw<{ dataset: string; number: number }[]>`
        WITH wished AS (
          SELECT w.*, i.dataset_id IS NOT NULL AS is_known,
            (SELECT count(*) FROM datasets.dataset_index o WHERE o.dataset_id = w.dataset) AS known,
            row_number() OVER (PARTITION BY w.dataset, i.dataset_id IS NULL ORDER BY w.uses DESC) AS place
          FROM jsonb_to_recordset(${JSON.stringify(wishes)}::jsonb) AS w(dataset uuid, "column" int, kind text, by int, uses bigint)
          JOIN datasets.dataset d ON d.id = w.dataset
          LEFT JOIN datasets.dataset_index i
            ON (i.dataset_id, i."column", i.kind, i.by) = (w.dataset, w."column", w.kind, w.by)),
        noted AS (
          INSERT INTO datasets.dataset_index AS i (dataset_id, "column", kind, by, state, uses, last_used_at)
          SELECT dataset, "column", kind, by, 'wanted', uses, now() FROM wished
          WHERE is_known OR known + place <= ${MAX_INDEX_RECORDS}
          ORDER BY 1, 2, 3, 4
          ON CONFLICT (dataset_id, "column", kind, by)
            DO UPDATE SET uses = i.uses + excluded.uses, last_used_at = excluded.last_used_at
          RETURNING i.dataset_id, i.state, i.uses)
        SELECT DISTINCT d.id::text AS dataset, d.number FROM noted JOIN datasets.dataset d ON d.id = dataset_id
        WHERE state = 'wanted' AND uses >= ${MIN_INDEX_USES}`;
      for (const { dataset, number } of missing) this.pending.set(number, dataset);
      for (const [table, dataset] of this.pending) {
        if (!this.isDue(table)) continue;
        this.pending.delete(table);
        tx.enqueue(updateIndexes, { dataset }, { id: `indexes-${dataset}` });
      }
    });
  }

  private isDue(table: number): boolean {
    const now = Date.now();
    for (const [other, at] of this.lastUpdates) if (now - at > MIN_UPDATE_INTERVAL_MS) this.lastUpdates.delete(other);
    if (this.lastUpdates.has(table)) return false;
    this.lastUpdates.set(table, now);
    return true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flushing;
    await this.flush();
  }
}
