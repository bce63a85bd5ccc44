import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';

/** Injection token: days without use after which a cached result is deleted. */
export const CACHE_RETENTION_DAYS = Symbol('CACHE_RETENTION_DAYS');

const INTERVAL_MS = 10 * 60_000;
/** Rows deleted in one transaction. */
const MAX_ROWS = 5_000;

/** Deletes cached results that no run has used for a long time. Their runs stay. */
@Injectable()
export class CacheExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new IntervalLoop('Deletion of expired cached results', INTERVAL_MS, () =>
    this.deleteUnused(),
  );

  constructor(
    private readonly database: Database,
    @Inject(CACHE_RETENTION_DAYS) private readonly days: number,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** @returns how many were deleted */
  async deleteUnused(): Promise<number> {
    for (let deleted = 0; ;) {
      const count = await this.database.client.$executeRaw`
        WITH unused AS MATERIALIZED (
          SELECT space_id, key FROM runs.cache_entry
          WHERE last_used_at < now() - ${this.days}::int * interval '1 day' LIMIT ${MAX_ROWS} FOR UPDATE SKIP LOCKED)
        DELETE FROM runs.cache_entry e USING unused u WHERE e.space_id = u.space_id AND e.key = u.key`;
      deleted += count;
      if (count < MAX_ROWS) return deleted;
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
