import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { updateIndexes } from '@millrace/contracts/datasets/jobs';
import { Database } from '@millrace/persistence/database';
import type { UsedColumn } from '@millrace/query/fields/used-columns';
import type { IndexId } from '../live/names.js';
import type { LiveShape } from '../reading/live-shape.js';
import { candidateIndex } from './candidate-index.js';

/** A smaller table is read as a whole just as fast. */
export const MIN_INDEXED_ROWS = 10_000;
/** A query that ran only once may never run again. */
export const MIN_INDEX_USES = 2;
/** Index records of a table. Further candidates are ignored until some records expire. */
export const MAX_INDEX_RECORDS = 200;
/** Candidates that are buffered between two flushes. */
const MAX_BUFFERED_USES = 10_000;
const FLUSH_INTERVAL_MS = 2_000;
/** Minimum time between two updates of a table's indexes. */
const MIN_UPDATE_INTERVAL_MS = 30_000;

interface IndexUse extends IndexId {
  dataset: string;
  uses: number;
}

/** Counts which indexes queries would use, and enqueues the building of missing ones. */
@Injectable()
export class IndexUsageService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IndexUsageService.name);
  private readonly buffered = new Map<string, IndexUse>();
  /** Time of the last update, by physical table. */
  private readonly lastUpdates = new Map<number, number>();
  /** Datasets that are due for an update but wait for the minimum interval, by physical table. */
  private readonly pending = new Map<number, string>();
  private timer?: NodeJS.Timeout;
  private flushing = Promise.resolve();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void (this.flushing = this.flush()), FLUSH_INTERVAL_MS);
  }

  /** Records a query for which an index on each of these uses would help. */
  recordAll(shape: LiveShape, uses: readonly UsedColumn[]): void {
    for (const candidate of this.findCandidates(shape, uses)) this.add(shape.id, candidate);
  }

  /** Records a query for which an index on any one of these uses would help. */
  recordFirst(shape: LiveShape, uses: readonly UsedColumn[]): void {
    for (const candidate of this.findCandidates(shape, uses).slice(0, 1)) this.add(shape.id, candidate);
  }

  private findCandidates(shape: LiveShape, uses: readonly UsedColumn[]): IndexId[] {
    return shape.rows <= MIN_INDEXED_ROWS ? [] : uses.flatMap((used) => candidateIndex(shape, used) ?? []);
  }

  private add(dataset: string, candidate: IndexId): void {
    const key = `${dataset} ${candidate.column} ${candidate.kind} ${candidate.by}`;
    const known = this.buffered.get(key);
    if (known) known.uses += 1;
    else if (this.buffered.size < MAX_BUFFERED_USES) this.buffered.set(key, { ...candidate, dataset, uses: 1 });
  }

  private async flush(): Promise<void> {
    const uses = [...this.buffered.values()];
    this.buffered.clear();
    if (uses.length + this.pending.size === 0) return;
    try {
      await this.write(uses);
    } catch (error) {
      // Nothing is retried: the next queries count the same indexes again.
      this.logger.warn({ message: 'Index usage could not be saved', error });
    }
  }

  private async write(uses: IndexUse[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      const due = await tx.$queryRaw<{ dataset: string; number: number }[]>`
        WITH candidate AS (
          SELECT w.*, i.dataset_id IS NOT NULL AS is_known,
            (SELECT count(*) FROM datasets.dataset_index o WHERE o.dataset_id = w.dataset) AS known,
            row_number() OVER (PARTITION BY w.dataset, i.dataset_id IS NULL ORDER BY w.uses DESC) AS place
          FROM jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) AS w(dataset uuid, "column" int, kind text, by int, uses bigint)
          JOIN datasets.dataset d ON d.id = w.dataset
          LEFT JOIN datasets.dataset_index i
            ON (i.dataset_id, i."column", i.kind, i.by) = (w.dataset, w."column", w.kind, w.by)),
        recorded AS (
          INSERT INTO datasets.dataset_index AS i (dataset_id, "column", kind, by, state, uses, last_used_at)
          SELECT dataset, "column", kind, by, 'wanted', uses, now() FROM candidate
          WHERE is_known OR known + place <= ${MAX_INDEX_RECORDS}
          ORDER BY 1, 2, 3, 4
          ON CONFLICT (dataset_id, "column", kind, by)
            DO UPDATE SET uses = i.uses + excluded.uses, last_used_at = excluded.last_used_at
          RETURNING i.dataset_id, i.state, i.uses)
        SELECT DISTINCT d.id::text AS dataset, d.number FROM recorded JOIN datasets.dataset d ON d.id = dataset_id
        WHERE state = 'wanted' AND uses >= ${MIN_INDEX_USES}`;
      for (const { dataset, number } of due) this.pending.set(number, dataset);
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
