import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { DATASETS_ENV, type DatasetsEnv } from '../../env.js';
import { expireLoad, type ExpiredLoad } from './expire-load.js';

const INTERVAL_MS = 3_600_000;
/** Loads per statement. */
const BATCH_SIZE = 200;

/** Deletes loads that ended more than LOAD_RETENTION_DAYS ago. Several copies of the service may do the same at a time. */
@Injectable()
export class LoadHistoryService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new IntervalLoop('Deletion of old loads', INTERVAL_MS, () => this.deleteOld());
  private isClosing = false;

  constructor(
    private readonly database: Database,
    @Inject(DATASETS_ENV) private readonly env: Pick<DatasetsEnv, 'LOAD_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start({ immediately: true });
  }

  /** A load that a user retries meanwhile is no longer COMPLETED or FAILED, or has ended again. */
  async deleteOld(): Promise<void> {
    let loads: ExpiredLoad[];
    do {
      loads = await this.database.client.$queryRaw<ExpiredLoad[]>`
        SELECT id, dataset_id::text AS "datasetId", finished_at AS "finishedAt" FROM datasets.load
        WHERE finished_at < now() - ${this.env.LOAD_RETENTION_DAYS}::int * interval '1 day'
          AND status IN ('COMPLETED', 'FAILED')
        ORDER BY finished_at LIMIT ${BATCH_SIZE}::int`;
      for (const load of loads) {
        if (this.isClosing) return;
        await expireLoad(this.database, load);
      }
    } while (loads.length === BATCH_SIZE);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    await this.loop.stop();
  }
}
