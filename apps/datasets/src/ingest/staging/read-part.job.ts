import { Inject, Injectable } from '@nestjs/common';
import { readPart } from '@millrace/contracts/datasets/jobs';
import type { Payload } from '@millrace/contracts/kit/event';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { Database } from '@millrace/persistence/database';
import { Prisma, type LoadPart } from '@millrace/persistence/generated/client';
import { DATASETS_ENV, toLoadLimits, type DatasetsEnv } from '../../env.js';
import type { Encoding } from '../content/decompress.js';
import { LoadGuard } from '../loads/load-guard.js';
import { VaultJobLimiter } from '../loads/vault-job-limiter.js';
import type { Format } from '../parsing/detect-format.js';
import { findInexactColumns } from '../types/find-inexact-columns.js';
import { knownColumns, stagedShapes } from '../types/known-columns.js';
import { completeBatch } from './complete-batch.js';
import type { BatchPart, BatchResult, PartProgress } from './read-batch.js';
import { ReadThreads } from './read-threads.js';

const withTable = { dataset: { include: { columns: { orderBy: { number: 'asc' } } } } } as const;

/** Lower than the concurrency of the job, so that one vault never delays all others. */
const MAX_CONCURRENT_PER_VAULT = readPart.concurrency - 1;

const CANCEL_CHECK_INTERVAL_MS = 1_000;

/** Reads a batch of parts into a staging table. Safe to repeat: of two concurrent jobs one waits and finds the batch read. */
@Injectable()
export class ReadPartJob {
  private readonly limiter = new VaultJobLimiter(MAX_CONCURRENT_PER_VAULT, (vault, part) =>
    this.database.transaction((tx) => Promise.resolve(tx.enqueue(readPart, { part, vault }))),
  );

  constructor(
    private readonly database: Database,
    private readonly threads: ReadThreads,
    private readonly guard: LoadGuard,
    @Inject(DATASETS_ENV) private readonly env: DatasetsEnv,
  ) {}

  @JobProcessor(readPart)
  read({ part, vault }: Payload<typeof readPart>): Promise<void> {
    return this.limiter.run(vault, part, () => this.readBatch(part));
  }

  private async readBatch(part: string): Promise<void> {
    const batch = BigInt(part);
    const { client } = this.database;
    const first = await client.loadPart.findUnique({ where: { id: batch } });
    if (first?.status !== 'PENDING') return;
    const load = await client.load.findUnique({ where: { id: first.loadId }, include: withTable });
    if (load?.status !== 'READING') return;
    const [parts, shapes] = await Promise.all([
      client.loadPart.findMany({ where: { batch }, orderBy: { id: 'asc' } }),
      client.loadPart.findMany({ where: { loadId: load.id, shape: { not: Prisma.AnyNull } }, select: { shape: true } }),
    ]);
    const { round } = first;
    const outdated = new AbortController();
    // Checked here, because a busy or waiting thread reports nothing.
    const watch = setInterval(() => {
      void this.isCurrent(batch, round).then((isCurrent) => isCurrent || outdated.abort());
    }, CANCEL_CHECK_INTERVAL_MS);
    const handlers = {
      signal: outdated.signal,
      onProgress: (progress: PartProgress) => void this.saveProgress(progress, round),
      saveResult: (result: BatchResult) =>
        this.database.transaction((tx) => completeBatch(tx, load, { batch, round }, result, toLoadLimits(this.env))),
    };
    const read = async () => {
      const staged = stagedShapes(shapes);
      const known = knownColumns(load.dataset, staged, await findInexactColumns(client, load.dataset, staged));
      await this.threads.read({ batch: part, round, parts: parts.map(toTask), known }, handlers);
    };
    await this.guard.run(load, read).finally(() => clearInterval(watch));
  }

  /**
   * Whether the result of this round is still needed: its table and load exist, the load has not failed, and the batch was
   * not restarted. If the query fails, the next check decides.
   */
  private async isCurrent(batch: bigint, round: number): Promise<boolean> {
    const where = { id: batch, round, load: { status: { not: 'FAILED' } } };
    return (await this.database.client.loadPart.count({ where }).catch(() => 1)) > 0;
  }

  /** Best effort: the next report, a second later, or the result of the batch replaces a lost one. */
  private async saveProgress({ part, bytes, rows, rejected }: PartProgress, round: number): Promise<void> {
    const data = { bytesRead: BigInt(bytes), rowsRead: BigInt(rows), rejected: BigInt(rejected) };
    const where = { id: BigInt(part), round, status: 'PENDING' };
    await this.database.client.loadPart.updateMany({ where, data }).catch(() => undefined);
  }
}

const toTask = ({ id, path, sha256, size, format, encoding }: LoadPart): BatchPart => ({
  id: String(id),
  name: path ?? '',
  sha256,
  size: Number(size),
  format: format as Format | null,
  encoding: encoding as Encoding | null,
});
