import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import type { PgListener } from '@millrace/persistence/pg-listener';
import { WakeableLoop } from '@millrace/service/loops/wakeable-loop';
import { claimTicks, MAX_CLAIMED_SCHEDULES } from './claim-ticks.js';
import { SCHEDULE_CHANNEL } from './notify-clocks.js';

/** Due schedules that cannot be claimed are locked by another copy of the service. */
const MIN_SLEEP_MS = 50;

/**
 * Claims schedules when they are due. Each copy of the service sleeps until the earliest due time by the clock of
 * Postgres, so that differing clocks do no harm. A notification wakes it if a schedule changes.
 */
@Injectable()
export class ScheduleClockService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly listener: PgListener;
  private readonly loop = new WakeableLoop(
    'Schedule dispatch',
    () => this.claimDue(),
    new Logger(ScheduleClockService.name),
  );

  constructor(private readonly database: Database) {
    const wake = () => this.loop.wake();
    this.listener = database.createListener(SCHEDULE_CHANNEL, { onNotification: wake, onConnect: wake });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.open();
    this.loop.start();
  }

  /** @returns milliseconds until the next claim */
  private async claimDue(): Promise<number> {
    const [clock] = await this.database.client.$queryRaw<{ now: Date; next: Date | null }[]>`
      SELECT clock_timestamp() AS now, (SELECT min(next_at) FROM workflows.schedule WHERE enabled) AS next`;
    if (!clock?.next) return Infinity;
    const { now, next } = clock;
    const untilNextMs = next.getTime() - now.getTime();
    if (untilNextMs > 0) return untilNextMs + 1;
    const claimed = await this.database.transaction((tx) => claimTicks(tx, now));
    return claimed === MAX_CLAIMED_SCHEDULES ? 0 : MIN_SLEEP_MS;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.listener.close();
  }
}
