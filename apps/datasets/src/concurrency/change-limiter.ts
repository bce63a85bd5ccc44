import { Inject, Injectable } from '@nestjs/common';
import type { Context } from '@millrace/messaging/rpc/context';
import { DATASETS_ENV, type DatasetsEnv } from '../env.js';
import { ACQUIRE_TIMEOUT_MS, FairSemaphore } from './fair-semaphore.js';

const MAX_CONCURRENT_CHANGES_PER_USER = 2;

/**
 * Limits concurrent changes of Live Tables, each of which may take as long as a request can. They use at most half of
 * the service's own connections, so that other requests still find one.
 */
@Injectable()
export class ChangeLimiter {
  private readonly semaphore: FairSemaphore;

  constructor(@Inject(DATASETS_ENV) env: DatasetsEnv) {
    const permits = Math.max(1, Math.floor(env.DATABASE_CONNECTIONS / 2));
    this.semaphore = new FairSemaphore({
      permits,
      permitsPerUser: MAX_CONCURRENT_CHANGES_PER_USER,
      reservedPermits: Math.floor(permits / 2),
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    });
  }

  /** @throws ApiError `rate_limited` if too many other changes are running */
  run<T>({ caller }: Context, work: () => Promise<T>): Promise<T> {
    return this.semaphore.run(caller.user, work);
  }
}
