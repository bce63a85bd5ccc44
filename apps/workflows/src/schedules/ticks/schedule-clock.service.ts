import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import type { PgListener } from '@millrace/persistence/pg-listener';
import { WakeableLoop } from '@millrace/service/wakeable-loop';
import { claimTicks, MAX_CLAIMED_SCHEDULES } from './claim-ticks.js';
import { SCHEDULE_CHANNEL } from './notify-clocks.js';

/** What is due and not to be had is in the hands of another copy. */
const MIN_SLEEP_MS = 50;

/**
 * Takes schedules when they are due. Each copy of the service has one and sleeps until the earliest moment, by the clock of
 * Postgres, so that clocks that differ do no harm; it is woken where a schedule changes.
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

  /** @returns how long there is nothing to do, in milliseconds */
  private async claimDue(): Promise<number> {
    const [clock] = await this.database.client.$queryRaw<{ now: Date; next: Date | null }[]>`
      SELECT clock_timestamp() AS now, (SELECT min(next_at) FROM workflows.schedule WHERE enabled) AS next`;
    if (!clock?.next) return Infinity;
    const { now, next } = clock;
    const ahead = next.getTime() - now.getTime();
    if (ahead > 0) return ahead + 1;
    const taken = await this.database.transaction((tx) => claimTicks(tx, now));
    return taken === MAX_CLAIMED_SCHEDULES ? 0 : MIN_SLEEP_MS;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.listener.close();
  }
}
