import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@millrace/persistence/database';
import type { NoticeBoard } from '@millrace/persistence/notice-board';
import { claimTicks, MOST_CLAIMED } from './claim-ticks.js';
import { CHANNEL } from './tell-clocks.js';

/** Nothing depends on this while notices come. */
const LONGEST_SLEEP_MS = 5_000;
/** What is due and not to be had is in the hands of another copy. */
const SHORTEST_SLEEP_MS = 50;
const AFTER_FAILURE_MS = 1_000;

/**
 * Takes schedules when they are due. Each copy of the service has one and sleeps until the earliest moment, by the clock of
 * Postgres, so that clocks that differ do no harm; it is woken where a schedule changes.
 */
@Injectable()
export class ScheduleClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ScheduleClock.name);
  private readonly board: NoticeBoard;
  private isOpen = true;
  private isWoken = false;
  private wakeUp: () => void = () => undefined;
  private turning: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {
    const wake = () => this.wake();
    this.board = database.board(CHANNEL, { told: wake, began: wake });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.board.open();
    this.turning = this.turn();
  }

  private wake(): void {
    this.isWoken = true;
    this.wakeUp();
  }

  private async turn(): Promise<void> {
    while (this.isOpen) {
      this.isWoken = false;
      const pause = await this.takeDue().catch((error: unknown) => {
        this.logger.warn({ message: 'Taking what is due waits', error });
        return AFTER_FAILURE_MS;
      });
      if (this.isOpen && !this.isWoken) await this.sleep(pause);
    }
  }

  /** @returns how long there is nothing to do, in milliseconds */
  private async takeDue(): Promise<number> {
    const [clock] = await this.database.client.$queryRaw<{ now: Date; next: Date | null }[]>`
      SELECT clock_timestamp() AS now, (SELECT min(next_at) FROM workflows.schedule WHERE enabled) AS next`;
    if (!clock?.next) return LONGEST_SLEEP_MS;
    const { now, next } = clock;
    const ahead = next.getTime() - now.getTime();
    if (ahead > 0) return Math.min(ahead + 1, LONGEST_SLEEP_MS);
    const taken = await this.database.transaction((tx) => claimTicks(tx, now));
    return taken === MOST_CLAIMED ? 0 : SHORTEST_SLEEP_MS;
  }

  private async sleep(pause: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isOpen = false;
    this.wake();
    await this.turning;
    await this.board.close();
  }
}
