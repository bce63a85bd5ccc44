import { Inject, Injectable } from '@nestjs/common';
import type { Context } from '@millrace/messaging/rpc/context';
import { DATASETS_ENV, type DatasetsEnv } from '../env.js';
import { ACQUIRE_TIMEOUT_MS, FairSemaphore } from './fair-semaphore.js';

const PER_USER = 2;

/**
 * Changes of Live Tables that may take as long as a request can. They take turns, on half of the service's own connections
 * at the most, so that they hold up no other request.
 */
@Injectable()
export class ChangeLimiter {
  private readonly semaphore: FairSemaphore;

  constructor(@Inject(DATASETS_ENV) env: DatasetsEnv) {
    const total = Math.max(1, Math.floor(env.DATABASE_CONNECTIONS / 2));
    this.semaphore = new FairSemaphore({
      total,
      perUser: PER_USER,
      reserved: Math.floor(total / 2),
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    });
  }

  /** @throws ApiError `rate_limited` where no turn comes in time */
  run<T>({ caller }: Context, work: () => Promise<T>): Promise<T> {
    return this.semaphore.run(caller.user, work);
  }
}
