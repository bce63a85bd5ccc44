import { Logger } from '@nestjs/common';

/** Nothing depends on this while it is woken where something comes. */
const MAX_SLEEP_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;

/**
 * Does some work when it is due, and sleeps until then or until it is woken. A turn that fails says so in the log, and is
 * tried again after a second.
 */
export class WakeableLoop {
  private isStopped = false;
  private isWoken = false;
  private rouse: () => void = () => undefined;
  private turning: Promise<void> = Promise.resolve();

  /**
   * @param what begins a sentence of the log that ends with "waits"
   * @param work gives how long there is nothing to do, in milliseconds; it is asked again after 5 s at the latest
   */
  constructor(
    private readonly what: string,
    private readonly work: () => Promise<number>,
    private readonly logger = new Logger(WakeableLoop.name),
  ) {}

  /** The first turn is at once. */
  start(): void {
    this.turning = this.turn();
  }

  /** The next turn is at once: now, or after the one that is under way. */
  wake(): void {
    this.isWoken = true;
    this.rouse();
  }

  /** Waits for the turn that is under way, and does not start again. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    await this.turning;
  }

  private async turn(): Promise<void> {
    while (!this.isStopped) {
      this.isWoken = false;
      const pause = await this.attempt();
      if (!this.isWoken) await this.sleep(Math.min(pause, MAX_SLEEP_MS));
    }
  }

  private async attempt(): Promise<number> {
    try {
      return await this.work();
    } catch (error) {
      this.logger.warn({ message: `${this.what} waits`, error });
      return AFTER_FAILURE_MS;
    }
  }

  private async sleep(pause: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
