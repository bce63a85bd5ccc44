import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { writeExport } from '@millrace/contracts/datasets/jobs';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import type { ObjectStore } from '@millrace/storage/object-store';
import { EXPORT_STORE } from '../../object-stores.js';
import { exportJobId } from '../export-queue.js';
import { removeExport } from './deleted-exports.js';

const RECONCILE_INTERVAL_MS = 5_000;
/** An export of this age is expected to have a job. */
const MIN_AGE_MS = 10_000;
const BATCH_SIZE = 200;

/**
 * Enqueues unfinished exports that have no job, because Redis lost its data or the job ran out of attempts. Deletes expired
 * exports with their files.
 */
@Injectable()
export class ExportReconcilerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly removalLoop = new IntervalLoop('Deletion of expired exports', RECONCILE_INTERVAL_MS, () =>
    this.removeExpired(),
  );
  private readonly requeueLoop = new IntervalLoop('Export recovery', RECONCILE_INTERVAL_MS, () =>
    this.requeueMissing(),
  );

  constructor(
    private readonly database: Database,
    private readonly queues: JobQueues,
    @Inject(EXPORT_STORE) private readonly store: ObjectStore,
  ) {}

  onApplicationBootstrap(): void {
    this.removalLoop.start();
    this.requeueLoop.start();
  }

  private async removeExpired(): Promise<void> {
    const expired = await this.database.client.export.findMany({
      where: { expiresAt: { lte: new Date() } },
      select: { id: true },
      take: BATCH_SIZE,
    });
    for (const { id } of expired) await removeExport(this.database, this.store, id);
  }

  private async requeueMissing(): Promise<void> {
    const unfinished = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM datasets.export e
      WHERE status IN ('PENDING', 'RUNNING') AND created_at < now() - ${MIN_AGE_MS}::int * interval '1 ms'
        AND NOT EXISTS (SELECT 1 FROM messaging.outbox o WHERE o.service = 'datasets' AND o.relayed_at IS NULL
          AND o.options->>'id' = ${exportJobId('')} || e.id)
        AND (status = 'RUNNING' OR NOT EXISTS (SELECT 1 FROM datasets.export r
          WHERE r.vault_id = e.vault_id AND r."user" = e."user" AND r.status = 'RUNNING'))
      ORDER BY id LIMIT ${BATCH_SIZE}`;
    const ids = unfinished.map(({ id }) => id);
    const queued = await this.queues.findUnfinished(writeExport, ids.map(exportJobId));
    const missing = ids.filter((id) => !queued.has(exportJobId(id)));
    if (missing.length === 0) return;
    await this.database.transaction((tx) => {
      for (const id of missing) tx.enqueue(writeExport, { export: id }, { id: exportJobId(id) });
      return Promise.resolve();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.removalLoop.stop(), this.requeueLoop.stop()]);
  }
}
