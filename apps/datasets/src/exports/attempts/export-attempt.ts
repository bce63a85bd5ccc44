import { EXPORT_DAYS } from '@millrace/contracts/datasets/exports';
import type { Database } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';
import type { StoredObject } from '@millrace/storage/object-store';
import { canStartExport } from '../export-queue.js';
import { createFileTombstone, lockFile } from '../records/deleted-exports.js';

/** The export was deleted, or a later attempt writes it. */
export class AttemptSupersededError extends Error {}

export interface AttemptProgress {
  /** Rows that Postgres has sent. */
  rows: bigint;
  tableExists: boolean;
  /** Postgres searches for the next row: it waits neither for a lock nor for this process to read. */
  isSearching: boolean;
}

/**
 * Starts an attempt to write an export, which supersedes earlier attempts.
 * @returns null if nothing is left to write, or if other exports of the user and vault have to finish first
 */
export async function beginAttempt(database: Database, id: bigint): Promise<ExportAttempt | null> {
  const record = await database.transaction(async (tx) => {
    const unfinished = await tx.export.findFirst({ where: { id, status: { in: ['PENDING', 'RUNNING'] } } });
    if (!unfinished) return null;
    // A RUNNING export keeps its turn, whichever process writes it.
    if (unfinished.status === 'PENDING' && !(await canStartExport(tx, unfinished))) return null;
    const [started] = await tx.export.updateManyAndReturn({
      where: { id, status: { in: ['PENDING', 'RUNNING'] } },
      data: { status: 'RUNNING', attempt: { increment: 1 }, size: 0, rows: 0 },
    });
    return started ?? null;
  });
  return record ? new ExportAttempt(database, record) : null;
}

/** One attempt to write an export. Its reports count only while no later attempt has started and the export exists. */
export class ExportAttempt {
  constructor(
    private readonly database: Database,
    readonly record: Export,
  ) {}

  private get ownRecord() {
    return { id: this.record.id, attempt: this.record.attempt, status: 'RUNNING' };
  }

  /**
   * Records the progress. Postgres itself counts the rows that were read.
   * @param pid process id of the Postgres backend that reads
   * @throws AttemptSupersededError
   */
  async reportProgress({ pid, bytes }: { pid: number; bytes: number }): Promise<AttemptProgress> {
    const { id, attempt } = this.record;
    const [found] = await this.database.client.$queryRaw<AttemptProgress[]>`
      UPDATE datasets.export e SET size = ${bytes}::bigint,
        rows = greatest(e.rows, (SELECT tuples_processed FROM pg_stat_progress_copy WHERE pid = ${pid}::int))
      WHERE id = ${id}::bigint AND attempt = ${attempt}::int AND status = 'RUNNING'
      RETURNING e.rows, EXISTS (SELECT 1 FROM datasets.dataset d WHERE d.id = e.dataset_id) AS "tableExists",
        EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}::int AND state = 'active'
          AND wait_event IS DISTINCT FROM 'ClientWrite' AND wait_event_type IS DISTINCT FROM 'Lock') AS "isSearching"`;
    if (!found) throw new AttemptSupersededError();
    return found;
  }

  /** Records the file before it is stored, so that every stored file has a record. @throws AttemptSupersededError */
  async reserveFile({ sha256, size }: StoredObject): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lockFile(tx, sha256);
      const previous = await tx.export.findFirst({ where: this.ownRecord });
      const { count } = await tx.export.updateMany({ where: this.ownRecord, data: { sha256, size } });
      if (!previous || count === 0) throw new AttemptSupersededError();
      if (previous.sha256 !== sha256) await createFileTombstone(tx, previous);
    });
  }

  /** @throws AttemptSupersededError */
  async complete({ sha256, size }: StoredObject, rows: number): Promise<void> {
    const data = { status: 'COMPLETED', sha256, size, rows, ...finishedNow() };
    const { count } = await this.database.client.export.updateMany({ where: this.ownRecord, data });
    if (count === 0) throw new AttemptSupersededError();
  }

  /** Fails the export permanently. @param error message for the user */
  async fail(error: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const previous = await tx.export.findFirst({ where: this.ownRecord });
      const data = { status: 'FAILED', error, sha256: null, size: 0, rows: 0, ...finishedNow() };
      const { count } = await tx.export.updateMany({ where: this.ownRecord, data });
      if (previous && count > 0) await createFileTombstone(tx, previous);
    });
  }

  /** Leaves the export to the next attempt. */
  async release(): Promise<void> {
    await this.database.client.export.updateMany({
      where: this.ownRecord,
      data: { status: 'PENDING', size: 0, rows: 0 },
    });
  }
}

function finishedNow(): { finishedAt: Date; expiresAt: Date } {
  const finishedAt = new Date();
  return { finishedAt, expiresAt: new Date(finishedAt.getTime() + EXPORT_DAYS * 86_400_000) };
}
