import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { writeExport } from '@millrace/contracts/datasets/jobs';
import { JobQueues } from '@millrace/messaging/jobs/job-queues';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/interval-loop';
import type { ObjectStore } from '@millrace/storage/object-store';
import { dropExport } from './drop-export.js';
import { EXPORT_STORE } from './export-store.js';
import { jobOf } from './job-of.js';

const EVERY_MS = 5_000;
/** An export that waits for this long is looked for in the queue. */
const TIMEOUT_MS = 10_000;
const MAX_CONCURRENT = 200;

/**
 * Finds exports that are to be written and that the queue does not know, because Redis was emptied or their job was over
 * after too many failures; and deletes those that are over with their files.
 */
@Injectable()
export class KeepExports implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly deleting = new IntervalLoop('Deletion of expired exports', EVERY_MS, () => this.dropExpired());
  private readonly ordering = new IntervalLoop('Export recovery', EVERY_MS, () => this.orderAgain());

  constructor(
    private readonly database: Database,
    private readonly queues: JobQueues,
    @Inject(EXPORT_STORE) private readonly store: ObjectStore,
  ) {}

  onApplicationBootstrap(): void {
    this.deleting.start();
    this.ordering.start();
  }

  private async dropExpired(): Promise<void> {
    const expired = await this.database.client.export.findMany({
      where: { expiresAt: { lte: new Date() } },
      select: { id: true },
      take: MAX_CONCURRENT,
    });
    for (const { id } of expired) await dropExport(this.database, this.store, id);
  }

  private async orderAgain(): Promise<void> {
    const waiting = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM datasets.export e
      WHERE status IN ('PENDING', 'RUNNING') AND created_at < now() - ${TIMEOUT_MS}::int * interval '1 ms'
        AND NOT EXISTS (SELECT 1 FROM messaging.outbox o WHERE o.service = 'datasets' AND o.relayed_at IS NULL
          AND o.options->>'id' = ${jobOf('')} || e.id)
        AND (status = 'RUNNING' OR NOT EXISTS (SELECT 1 FROM datasets.export r
          WHERE r.vault_id = e.vault_id AND r."user" = e."user" AND r.status = 'RUNNING'))
      ORDER BY id LIMIT ${MAX_CONCURRENT}`;
    const ids = waiting.map(({ id }) => id);
    const queued = await this.queues.known(writeExport, ids.map(jobOf));
    const missing = ids.filter((id) => !queued.has(jobOf(id)));
    if (missing.length === 0) return;
    await this.database.transaction((tx) => {
      for (const id of missing) tx.enqueue(writeExport, { export: id }, { id: jobOf(id) });
      return Promise.resolve();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.deleting.stop(), this.ordering.stop()]);
  }
}
