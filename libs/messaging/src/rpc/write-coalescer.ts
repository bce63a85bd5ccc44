/**
 * Runs all actions of one iteration of the event loop together, at its end. Messages that are published synchronously
 * share one write to the socket. A write costs more than its content: a fifth of the CPU of a service that handles
 * fifty requests at a time.
 */
export class WriteCoalescer {
  private pending: (() => void)[] = [];

  /** `action` must not throw. */
  add(action: () => void): void {
    if (this.pending.length === 0) setImmediate(() => this.flush());
    this.pending.push(action);
  }

  private flush(): void {
    const { pending } = this;
    this.pending = [];
    for (const action of pending) action();
  }
}
