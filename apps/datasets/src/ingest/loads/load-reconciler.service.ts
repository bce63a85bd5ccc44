import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { collectLoad, mergeLoad, readPart } from '@millrace/contracts/datasets/jobs';
import type { JobType } from '@millrace/contracts/kit/job';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { claimTables, isClaimDue } from './claim-tables.js';
import { collectJobId, mergeJobId, PLACE_SQL, readJobId, UNFINISHED_SQL } from './load-jobs.js';

const RECONCILE_INTERVAL_MS = 30_000;
const BATCH_SIZE = 500;

interface DueJob {
  job: JobType;
  id: string;
  payload: object;
}

/**
 * Enqueues jobs that are due according to the records but missing from the queue, because Redis lost its data or the job
 * ran out of attempts. Also drops staging tables that no unfinished load uses, and takes over tables of an earlier release.
 */
@Injectable()
export class LoadReconcilerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly startedAt = performance.now();
  private claimedAt = -Infinity;
  private readonly loop = new IntervalLoop('Load sweep', RECONCILE_INTERVAL_MS, () => this.reconcile());

  constructor(
    private readonly database: Database,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start({ immediately: true });
  }

  private async reconcile(): Promise<void> {
    await this.claimTables();
    await this.requeueMissing();
    await this.dropOrphanedStagingTables();
  }

  private async claimTables(): Promise<void> {
    const now = performance.now();
    if (!isClaimDue(now - this.startedAt, now - this.claimedAt)) return;
    await claimTables(this.database);
    this.claimedAt = now;
  }

  /** A job that the outbox has not relayed yet is enqueued again with the same id, which has no effect. */
  async requeueMissing(): Promise<void> {
    for (const [job, due] of Map.groupBy(await this.findDueJobs(), ({ job }) => job)) {
      const queued = await this.queues.findUnfinished(
        job,
        due.map(({ id }) => id),
      );
      const missing = due.filter(({ id }) => !queued.has(id));
      if (missing.length === 0) continue;
      await this.database.transaction((tx) => {
        for (const { id, payload } of missing) tx.enqueue(job, payload, { id });
        return Promise.resolve();
      });
    }
  }

  private async findDueJobs(): Promise<DueJob[]> {
    const { client } = this.database;
    const [pending, reading, merging] = await Promise.all([
      client.load.findMany({ where: { status: 'PENDING' }, orderBy: { id: 'asc' }, take: BATCH_SIZE }),
      client.$queryRaw<{ batch: bigint; round: number; vault: string }[]>`
        SELECT p.batch, p.round, l.vault_id::text AS vault FROM datasets.load l JOIN datasets.load_part p ON p.load_id = l.id AND p.id = p.batch
        WHERE l.status = 'READING' AND p.status = 'PENDING' ORDER BY p.id LIMIT ${BATCH_SIZE}`,
      client.$queryRaw<{ id: bigint; attempt: number; rounds: bigint; vault: string }[]>`
        SELECT l.id, l.attempt, l.vault_id::text AS vault, sum(p.round) AS rounds
        FROM datasets.load l JOIN datasets.load_part p ON p.load_id = l.id AND p.id = p.batch
        WHERE l.status = 'MERGING' AND (l.run_id IS NULL OR NOT EXISTS (SELECT 1 FROM datasets.load e
          WHERE e.dataset_id = l.dataset_id AND ${Prisma.raw(`${PLACE_SQL('e')} < ${PLACE_SQL('l')}`)}
            AND e.status IN ${UNFINISHED_SQL}))
        GROUP BY l.id ORDER BY l.id LIMIT ${BATCH_SIZE}`,
    ]);
    return [
      ...pending.map((load) => ({ job: collectLoad, id: collectJobId(load), payload: { load: String(load.id) } })),
      ...reading.map(({ batch, round, vault }) => ({
        job: readPart,
        id: readJobId(batch, round),
        payload: { part: String(batch), vault },
      })),
      ...merging.map((load) => ({
        job: mergeLoad,
        id: mergeJobId(load, Number(load.rounds)),
        payload: { load: String(load.id), vault: load.vault },
      })),
    ];
  }

  /** A thread may still write such a table. The drop waits for it, and the thread's result is then discarded. */
  async dropOrphanedStagingTables(): Promise<void> {
    const orphaned = await this.database.client.$queryRaw<{ name: string }[]>`
      SELECT 'live.' || c.relname AS name FROM pg_class c
      WHERE c.relnamespace = 'live'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^s_[0-9]+$'
        AND NOT EXISTS (SELECT 1 FROM datasets.load_part p JOIN datasets.load l ON l.id = p.load_id
          WHERE p.batch = substr(c.relname, 3)::bigint AND l.status IN ('READING', 'MERGING'))
      LIMIT ${BATCH_SIZE}`;
    for (const { name } of orphaned) {
      await this.database.transaction(async (tx) => {
        await tx.$executeRaw`SET LOCAL lock_timeout = '1s'`;
        await tx.$executeRaw(Prisma.raw(`DROP TABLE IF EXISTS ${name}`));
      });
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
