import { withoutCause } from '../tracing/cause.js';

export interface BatcherOptions {
  /** Maximum size of a batch. */
  maxItems: number;
  /** Minimum time between the starts of two batches, in milliseconds. A full batch and one after a pause start at once. */
  minIntervalMs?: number;
  /** How long the first item of a batch waits for others, in milliseconds. */
  delayMs?: number;
}

/** Processes items in batches. Items that arrive while a batch is processed form the next one, so batches grow with the load. */
export class Batcher<T> {
  private pending: T[] = [];
  private processing: Promise<void> | null = null;
  private batchStartedAt = -Infinity;
  private isFlushing = false;
  private endPause: () => void = () => undefined;

  constructor(
    private readonly process: (batch: T[]) => Promise<void>,
    private readonly options: BatcherOptions,
  ) {}

  push(item: T): void {
    this.pending.push(item);
    if (this.pending.length >= this.options.maxItems) this.endPause();
    this.processing ??= withoutCause(() => this.processAll()).finally(() => (this.processing = null));
    // `settled` reports a failure. Without a caller of it, the rejection must not end the process.
    this.processing.catch(() => undefined);
  }

  /** Processes the rest without pauses and resolves when nothing is left. @throws what `process` threw */
  async settled(): Promise<void> {
    this.isFlushing = true;
    this.endPause();
    try {
      await this.processing;
    } finally {
      this.isFlushing = false;
    }
  }

  private async processAll(): Promise<void> {
    // Items that are pushed synchronously share a batch.
    await Promise.resolve();
    while (this.pending.length > 0) {
      await this.pause();
      this.batchStartedAt = performance.now();
      await this.process(this.pending.splice(0, this.options.maxItems));
    }
  }

  private async pause(): Promise<void> {
    const { minIntervalMs = 0, delayMs = 0, maxItems } = this.options;
    const remainingMs = Math.max(delayMs, this.batchStartedAt + minIntervalMs - performance.now());
    if (remainingMs <= 0 || this.isFlushing || this.pending.length >= maxItems) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, remainingMs);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
