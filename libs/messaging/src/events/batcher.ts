export interface BatcherOptions {
  /** Items in a batch at the most. */
  most: number;
  /** Least time from the start of one batch to the start of the next; the first after a pause and a full one start at once. */
  paceMs?: number;
}

/** Deals with items in batches: while one batch is being dealt with the next gathers, so that batches grow with the load. */
export class Batcher<T> {
  private gathered: T[] = [];
  private busy: Promise<void> | null = null;
  private startedAt = -Infinity;
  private isAwaited = false;
  private endPause: () => void = () => undefined;

  constructor(
    private readonly take: (batch: T[]) => Promise<void>,
    private readonly options: BatcherOptions,
  ) {}

  push(item: T): void {
    this.gathered.push(item);
    if (this.gathered.length >= this.options.most) this.endPause();
    this.busy ??= this.work().finally(() => (this.busy = null));
    // A failure is told by `settled`; until somebody asks it must not end the process.
    this.busy.catch(() => undefined);
  }

  /** Deals with the rest without pauses, and resolves when nothing is left; rejects with what `take` threw. */
  async settled(): Promise<void> {
    this.isAwaited = true;
    this.endPause();
    try {
      await this.busy;
    } finally {
      this.isAwaited = false;
    }
  }

  private async work(): Promise<void> {
    // What is pushed in one go travels together.
    await Promise.resolve();
    while (this.gathered.length > 0) {
      await this.pause();
      this.startedAt = performance.now();
      await this.take(this.gathered.splice(0, this.options.most));
    }
  }

  private async pause(): Promise<void> {
    const { paceMs = 0, most } = this.options;
    const left = this.startedAt + paceMs - performance.now();
    if (left <= 0 || this.isAwaited || this.gathered.length >= most) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
