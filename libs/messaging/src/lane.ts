/** Works off what is pushed, in order and in batches, one batch at a time. `work` must not throw. */
export class Lane<T> {
  private readonly waiting: T[] = [];
  private draining: Promise<void> | null = null;

  constructor(
    private readonly most: number,
    private readonly work: (batch: T[]) => Promise<void>,
  ) {}

  push(item: T): void {
    this.waiting.push(item);
    this.draining ??= this.drain().finally(() => (this.draining = null));
  }

  /** Ends when nothing waits any more. */
  get drained(): Promise<void> {
    return this.draining ?? Promise.resolve();
  }

  private async drain(): Promise<void> {
    // What one commit says is pushed in one go: it travels together.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.work(this.waiting.splice(0, this.most));
  }
}
