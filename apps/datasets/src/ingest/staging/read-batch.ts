import type pg from 'pg';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { Encoding } from '../content/decompress.js';
import { LoadTooLargeError, type LoadLimits } from '../content/load-limits.js';
import type { Format } from '../parsing/detect-format.js';
import { reject } from '../parsing/raw-row.js';
import { readRows, type RowChunk } from '../parsing/read-rows.js';
import type { KnownColumn, StagedShape } from '../types/known-columns.js';
import { encodeRejections, encodeRows } from './encode-rows.js';
import { fitRows } from './fit-rows.js';
import { RowColumns } from './row-columns.js';
import { StagingTable } from './staging-table.js';

export interface BatchPart {
  id: string;
  /** Name of the file. */
  name: string;
  sha256: string;
  format: Format | null;
  encoding: Encoding | null;
  size: number;
}

export interface BatchTask {
  batch: string;
  /** Number of this read of the batch. Results of an earlier round are discarded. */
  round: number;
  parts: BatchPart[];
  /** Columns of the table and of other parts of the load. */
  known: KnownColumn[];
}

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

/** Rejected rows of a batch that are staged; further rows are only counted. */
const MAX_STAGED_REJECTIONS = 10_000;
const PROGRESS_INTERVAL_MS = 1_000;

/**
 * Reads the files of a batch into its staging table. If a column turns out to need a wider type than its staged rows have,
 * the files are read to their ends only for the types, and then once more. So values keep the form that the files have.
 * @throws LoadTooLargeError
 */
export async function readBatch(
  task: BatchTask,
  { client, store, limits, onProgress }: BatchContext,
): Promise<BatchResult> {
  let { known } = task;
  let preserveDigits = false;
  for (;;) {
    const columns = new RowColumns(known, preserveDigits || known.some(({ type }) => type === 'text'));
    const table = new StagingTable(client, BigInt(task.batch));
    const reader = new BatchReader(task, columns, table, limits, onProgress);
    const result = await reader.read(store);
    if (!columns.outdated) return result;
    preserveDigits = true;
    known = columns.all.map(({ name, type, key }) => ({ name, type, key }));
  }
}

class BatchReader {
  private stagedRows = 0;
  private readRows = 0;
  private stagedRejections = 0;
  private broken = false;
  private progressAt = performance.now();

  constructor(
    private readonly task: BatchTask,
    private readonly columns: RowColumns,
    private readonly table: StagingTable,
    private readonly limits: LoadLimits,
    private readonly onProgress: (progress: PartProgress) => void,
  ) {}

  async read(store: ObjectStore): Promise<BatchResult> {
    await this.table.create();
    const parts: PartProgress[] = [];
    for (const part of this.task.parts) parts.push(await this.readPart(part, store));
    await this.table.end();
    return { shape: this.describeShape(), parts };
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
    for await (const chunk of readRows({ ...part, open: () => store.read(part.sha256) }, options)) {
      await this.stage(chunk, progress);
      if (performance.now() - this.progressAt < PROGRESS_INTERVAL_MS) continue;
      this.progressAt = performance.now();
      this.onProgress({ ...progress });
    }
    if (header && progress.rows + progress.rejected === 0) await this.checkHeader(header, progress);
    return progress;
  }

  /**
   * Rejects the header of a file without rows if it lacks a key column. Such a file is of another kind and does not show
   * that the source has no rows.
   */
  private async checkHeader(header: readonly string[], progress: PartProgress): Promise<void> {
    const missing = this.columns.keys.find(({ name }) => !header.includes(name));
    if (!missing) return;
    const reason = `the header lacks the key column ${JSON.stringify(missing.name)}`;
    await this.stage({ untyped: true, rows: [reject(1, reason, header.join(','))] }, progress);
  }

  private async stage(chunk: RowChunk, progress: PartProgress): Promise<void> {
    this.readRows += chunk.rows.length;
    if (this.readRows > this.limits.rows) throw LoadTooLargeError.forRows(this.limits);
    const { fitted, rejections } = fitRows(chunk, this.columns);
    progress.rows += fitted.length;
    progress.rejected += rejections.length;
    this.broken ||= rejections.some(({ broken }) => broken);
    if (this.columns.outdated) return;
    await this.table.addColumns(this.columns.placed);
    const width = this.columns.placed.length;
    const staged = rejections.slice(0, MAX_STAGED_REJECTIONS - this.stagedRejections);
    this.stagedRejections += staged.length;
    this.stagedRows += fitted.length + staged.length;
    await this.table.write(
      encodeRows(progress.part, fitted, width, chunk.untyped) + encodeRejections(progress.part, staged, width),
    );
  }

  private describeShape(): StagedShape {
    const columns = this.columns.all
      .filter(({ isPresent }) => isPresent)
      .map(({ name, type, place, hasInexactIntegers }) => ({
        name,
        type: place === 0 ? null : type,
        place: place === 0 ? null : place,
        ...(hasInexactIntegers && { large: true }),
      }));
    return { columns, key: this.columns.keys.map(({ name }) => name), staged: this.stagedRows, broken: this.broken };
  }
}
