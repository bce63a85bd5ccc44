import type pg from 'pg';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { Encoding } from '../content/decompress.js';
import { LoadTooLargeError, type LoadLimits } from '../content/load-limits.js';
import type { Format } from '../parsing/detect-format.js';
import { reject } from '../parsing/raw-row.js';
import { readRows, type RowChunk } from '../parsing/read-rows.js';
import { encodeRejected, encodeRows } from './encode-rows.js';
import { fitRows } from './fit-rows.js';
import { RowColumns } from './row-columns.js';
import type { KnownColumn, StagedShape } from './staged-shape.js';
import { StagingTable } from './staging-table.js';

export interface BatchPart {
  id: string;
  /** Of the file. */
  name: string;
  sha256: string;
  format: Format | null;
  encoding: Encoding | null;
  size: number;
}

export interface BatchTask {
  batch: string;
  /** How often it was to be read so far; one that is read meanwhile by somebody else, or again, is not this one. */
  round: number;
  parts: BatchPart[];
  /** Columns of the table, and those that other parts of the load have. */
  known: KnownColumn[];
}

/** How far a part is. */
export interface PartProgress {
  part: string;
  bytes: number;
  rows: number;
  rejected: number;
}

export interface BatchResult {
  shape: StagedShape;
  parts: PartProgress[];
}

interface BatchContext {
  client: pg.Client;
  store: ObjectStore;
  limits: LoadLimits;
  onProgress: (progress: PartProgress) => void;
}

/** Rejected rows of a batch that are kept; the others are counted. */
const MAX_STAGED_REJECTIONS = 10_000;
/** Milliseconds between two words about how far it is. */
const PROGRESS_INTERVAL_MS = 1_000;

/**
 * Reads the files of a batch into its staging table. Where a column turns out to need a wider type than rows were staged
 * with, the files are read to their ends for the types alone, and then once more: so values are as the files have them.
 * @throws LoadTooLarge
 */
export async function readBatch(
  task: BatchTask,
  { client, store, limits, onProgress }: BatchContext,
): Promise<BatchResult> {
  let { known } = task;
  let digits = false;
  for (;;) {
    const columns = new RowColumns(known, digits || known.some(({ type }) => type === 'text'));
    const table = new StagingTable(client, BigInt(task.batch));
    const reading = new BatchReader(task, columns, table, limits, onProgress);
    const result = await reading.read(store);
    if (!columns.outdated) return result;
    digits = true;
    known = columns.all.map(({ name, type, key }) => ({ name, type, key }));
  }
}

class BatchReader {
  private staged = 0;
  private found = 0;
  private kept = 0;
  private broken = false;
  private toldAt = performance.now();

  constructor(
    private readonly task: BatchTask,
    private readonly columns: RowColumns,
    private readonly table: StagingTable,
    private readonly limits: LoadLimits,
    private readonly tell: (progress: PartProgress) => void,
  ) {}

  async read(store: ObjectStore): Promise<BatchResult> {
    await this.table.create();
    const parts: PartProgress[] = [];
    for (const part of this.task.parts) parts.push(await this.readPart(part, store));
    await this.table.end();
    return { shape: this.describe(), parts };
  }

  private async readPart(part: BatchPart, store: ObjectStore): Promise<PartProgress> {
    const progress: PartProgress = { part: part.id, bytes: 0, rows: 0, rejected: 0 };
    let header: readonly string[] | null = null;
    const options = {
      preserveDigits: this.columns.preserveDigits,
      limits: this.limits,
      onBytes: (count: number) => void (progress.bytes += count),
      onHeader: (names: readonly string[]) => void (header = names),
    };
    for await (const found of readRows({ ...part, open: () => store.read(part.sha256) }, options)) {
      await this.stage(found, progress);
      if (performance.now() - this.toldAt < PROGRESS_INTERVAL_MS) continue;
      this.toldAt = performance.now();
      this.tell({ ...progress });
    }
    if (header && progress.rows + progress.rejected === 0) await this.checkHeader(header, progress);
    return progress;
  }

  /** Of a table without rows: one that lacks the key is something else, and does not say that there are none. */
  private async checkHeader(header: readonly string[], progress: PartProgress): Promise<void> {
    const missing = this.columns.keys.find(({ name }) => !header.includes(name));
    if (!missing) return;
    const reason = `the header has no column ${JSON.stringify(missing.name)}, which is of the key`;
    await this.stage({ untyped: true, rows: [reject(1, reason, header.join(','))] }, progress);
  }

  private async stage(found: RowChunk, progress: PartProgress): Promise<void> {
    this.found += found.rows.length;
    if (this.found > this.limits.rows) throw LoadTooLargeError.forRows(this.limits);
    const { fitted, rejected } = fitRows(found, this.columns);
    progress.rows += fitted.length;
    progress.rejected += rejected.length;
    this.broken ||= rejected.some(({ broken }) => broken);
    if (this.columns.outdated) return;
    await this.table.addColumns(this.columns.placed);
    const width = this.columns.placed.length;
    const kept = rejected.slice(0, MAX_STAGED_REJECTIONS - this.kept);
    this.kept += kept.length;
    this.staged += fitted.length + kept.length;
    await this.table.write(
      encodeRows(progress.part, fitted, width, found.untyped) + encodeRejected(progress.part, kept, width),
    );
  }

  private describe(): StagedShape {
    const columns = this.columns.all
      .filter(({ isPresent }) => isPresent)
      .map(({ name, type, place, hasInexactIntegers }) => ({
        ...{ name, type: place === 0 ? null : type, place: place === 0 ? null : place },
        ...(hasInexactIntegers && { large: true }),
      }));
    return { columns, key: this.columns.keys.map(({ name }) => name), staged: this.staged, broken: this.broken };
  }
}
