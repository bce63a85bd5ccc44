import { Logger } from '@nestjs/common';

/** Does some work again and again, one turn after another. A turn that fails says so in the log, and the next tries again. */
export class IntervalLoop {
  private timer?: NodeJS.Timeout;
  private busy: Promise<void> | null = null;

  /**
   * @param what begins a sentence of the log that ends with "waits"
   * @param everyMs between the beginnings of two turns; one that takes longer puts off the next
   */
  constructor(
    private readonly what: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<unknown>,
    private readonly logger = new Logger(IntervalLoop.name),
  ) {}

  /** The first turn is after one period, or at once. */
  start({ atOnce = false } = {}): void {
    this.timer = setInterval(() => this.turn(), this.everyMs);
    if (atOnce) this.turn();
  }

  /** Waits for the turn that is under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.busy;
  }

  private turn(): void {
    this.busy ??= this.attempt().finally(() => (this.busy = null));
  }

  private async attempt(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.logger.warn({ message: `${this.what} waits`, error });
    }
  }
}
