/**
 * Does at the end of this turn of the event loop what was asked for during it, all in one go. What is published to a
 * connection in one go leaves in one write, and a write costs more than what is in it: a fifth of the CPU of a service
 * that answers fifty questions at a time.
 */
export class WriteCoalescer {
  private pending: (() => void)[] = [];

  /** `work` must not throw. */
  add(work: () => void): void {
    if (this.pending.length === 0) setImmediate(() => this.end());
    this.pending.push(work);
  }

  private end(): void {
    const { pending } = this;
    this.pending = [];
    for (const work of pending) work();
  }
}
