import { setTimeout as sleep } from 'node:timers/promises';

export interface BatchOptions {
  /** Items in a batch at the most. */
  most: number;
  /** Least time from the start of one batch to the start of the next; the first after a pause starts at once. */
  paceMs?: number;
}

/** Deals with items in batches: while one batch is being dealt with the next gathers, so that batches grow with the load. */
export class Batches<T> {
  private gathered: T[] = [];
  private busy: Promise<void> | null = null;
  private startedAt = 0;

  constructor(
    private readonly take: (batch: T[]) => Promise<void>,
    private readonly options: BatchOptions,
  ) {}

  push(item: T): void {
    this.gathered.push(item);
    this.busy ??= this.work().finally(() => (this.busy = null));
    // A failure is told by `settled`; until somebody asks it must not end the process.
    this.busy.catch(() => undefined);
  }

  /** Resolves when nothing is left; rejects with what `take` threw. */
  async settled(): Promise<void> {
    await this.busy;
  }

  private async work(): Promise<void> {
    // What is pushed in one go travels together.
    await Promise.resolve();
    while (this.gathered.length > 0) {
      const pause = this.startedAt + (this.options.paceMs ?? 0) - performance.now();
      if (pause > 0) await sleep(pause);
      this.startedAt = performance.now();
      await this.take(this.gathered.splice(0, this.options.most));
    }
  }
}
