import { Logger } from '@nestjs/common';

/** Repeats an action at a fixed interval. Iterations never overlap. A failed one is logged, and the next one tries again. */
export class IntervalLoop {
  private timer?: NodeJS.Timeout;
  private current: Promise<void> | null = null;

  /**
   * @param name names the action in the log, as in "Webhook sweep failed; retrying"
   * @param intervalMs between the starts of two iterations. A start is skipped while the previous iteration is running.
   */
  constructor(
    private readonly name: string,
    private readonly intervalMs: number,
    private readonly action: () => Promise<unknown>,
    private readonly logger = new Logger(IntervalLoop.name),
  ) {}

  /** The first iteration starts after one interval, or immediately. */
  start({ immediately = false } = {}): void {
    this.timer = setInterval(() => this.iterate(), this.intervalMs);
    if (immediately) this.iterate();
  }

  /** Resolves when the current iteration has ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.current;
  }

  private iterate(): void {
    this.current ??= this.runAction().finally(() => (this.current = null));
  }

  private async runAction(): Promise<void> {
    try {
      await this.action();
    } catch (error) {
      this.logger.warn({ message: `${this.name} failed; retrying`, error, retryInMs: this.intervalMs });
    }
  }
}
