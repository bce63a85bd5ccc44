import { EXPORT_DAYS } from '@millrace/contracts/datasets/exports';
import type { Database } from '@millrace/persistence/database';
import type { Export } from '@millrace/persistence/generated/client';
import type { StoredObject } from '@millrace/storage/object-store';
import { createFileTombstone, lockFile } from '../records/deleted-exports.js';
import { canStartExport } from './export-turns.js';

/** The export is deleted, or another try writes it. */
export class AttemptSupersededError extends Error {}

/** How far an export is. */
export interface AttemptProgress {
  /** So many as Postgres has sent. */
  rows: bigint;
  /** Its table. */
  tableExists: boolean;
  /** Postgres is at the next row: it waits neither for a lock nor for us to take what it has. */
  isSearching: boolean;
}

/**
 * Begins a try to write an export, which ends those before it.
 * @returns null where there is nothing to write any more, or others of its user and vault are to be over first
 */
export async function beginAttempt(database: Database, id: bigint): Promise<ExportAttempt | null> {
  const record = await database.transaction(async (tx) => {
    const waiting = await tx.export.findFirst({ where: { id, status: { in: ['PENDING', 'RUNNING'] } } });
    if (!waiting) return null;
    // One under way has its turn, whoever writes it.
    if (waiting.status === 'PENDING' && !(await canStartExport(tx, waiting))) return null;
    const [begun] = await tx.export.updateManyAndReturn({
      where: { id, status: { in: ['PENDING', 'RUNNING'] } },
      data: { status: 'RUNNING', attempt: { increment: 1 }, size: 0, rows: 0 },
    });
    return begun ?? null;
  });
  return record ? new ExportAttempt(database, record) : null;
}

/** One try to write an export. What it says counts only while no later one has begun and the export is there. */
export class ExportAttempt {
  constructor(
    private readonly database: Database,
    readonly record: Export,
  ) {}

  private get ownRecord() {
    return { id: this.record.id, attempt: this.record.attempt, status: 'RUNNING' };
  }

  /**
   * Notes how far it is. How many rows were read is asked of Postgres, which counts them.
   * @throws NotOursAnyMore
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

  /** Notes which file there will be, so that none is ever there which no record names. @throws NotOursAnyMore */
  async reserveFile({ sha256, size }: StoredObject): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lockFile(tx, sha256);
      const former = await tx.export.findFirst({ where: this.ownRecord });
      const { count } = await tx.export.updateMany({ where: this.ownRecord, data: { sha256, size } });
      if (!former || count === 0) throw new AttemptSupersededError();
      if (former.sha256 !== sha256) await createFileTombstone(tx, former);
    });
  }

  /** @throws NotOursAnyMore */
  async complete({ sha256, size }: StoredObject, rows: number): Promise<void> {
    const data = { status: 'COMPLETED', sha256, size, rows, ...finishedNow() };
    const { count } = await this.database.client.export.updateMany({ where: this.ownRecord, data });
    if (count === 0) throw new AttemptSupersededError();
  }

  /** Ends it for good. @param error for its user to read */
  async fail(error: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const former = await tx.export.findFirst({ where: this.ownRecord });
      const data = { status: 'FAILED', error, sha256: null, size: 0, rows: 0, ...finishedNow() };
      const { count } = await tx.export.updateMany({ where: this.ownRecord, data });
      if (former && count > 0) await createFileTombstone(tx, former);
    });
  }

  /** Leaves it to the next try. */
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
