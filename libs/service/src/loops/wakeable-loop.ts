import { Logger } from '@nestjs/common';

/** Upper limit of a sleep. It matters only if a wake-up call is lost. */
const MAX_SLEEP_MS = 5_000;
const RETRY_DELAY_MS = 1_000;

/**
 * Runs an action whenever it is due, and sleeps until then or until `wake` is called. A failed iteration is logged and
 * retried after a second.
 */
export class WakeableLoop {
  private isStopped = false;
  private isWoken = false;
  private endSleep: () => void = () => undefined;
  private loop: Promise<void> = Promise.resolve();

  /**
   * @param name names the action in the log, as in "Webhook dispatch failed; retrying"
   * @param action resolves to the milliseconds until its next iteration is due, capped at 5 s
   */
  constructor(
    private readonly name: string,
    private readonly action: () => Promise<number>,
    private readonly logger = new Logger(WakeableLoop.name),
  ) {}

  /** Starts the first iteration immediately. */
  start(): void {
    this.loop = this.run();
  }

  /** Starts the next iteration now, or as soon as the current one has ended. */
  wake(): void {
    this.isWoken = true;
    this.endSleep();
  }

  /** Resolves when the current iteration has ended; no other one starts. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    await this.loop;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      this.isWoken = false;
      const delayMs = await this.runAction();
      if (!this.isWoken) await this.sleep(Math.min(delayMs, MAX_SLEEP_MS));
    }
  }

  private async runAction(): Promise<number> {
    try {
      return await this.action();
    } catch (error) {
      this.logger.warn({ message: `${this.name} failed; retrying`, error, retryInMs: RETRY_DELAY_MS });
      return RETRY_DELAY_MS;
    }
  }

  private async sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
