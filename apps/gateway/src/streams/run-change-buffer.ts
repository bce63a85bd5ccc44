import type { Payload } from '@millrace/contracts/kit/event';
import type { Result } from '@millrace/contracts/kit/operation';
import type { runChanged } from '@millrace/contracts/runs/engine';
import type { runEvents } from '@millrace/contracts/runs/runs';
import { Waker } from './waker.js';

export type Page = Result<typeof runEvents>;

/** Changes buffered for a slow reader, which fetches dropped ones from the runs service. */
const MAX_BUFFERED_CHANGES = 1_000;

/** Buffers the change signals of one run while its reader is busy. */
export class RunChangeBuffer {
  private readonly waker = new Waker();
  private signals: Payload<typeof runChanged>[] = [];
  private changeCount = 0;

  add(signal: Payload<typeof runChanged>): void {
    this.changeCount += signal.changes?.length ?? 0;
    if (this.changeCount > MAX_BUFFERED_CHANGES) {
      this.signals = [];
      this.changeCount = 0;
    } else this.signals.push(signal);
    this.waker.wake();
  }

  wait(timeoutMs: number): Promise<void> {
    return this.waker.wait(timeoutMs);
  }

  /** @returns the changes that follow number `after`; null if one is missing and must be fetched */
  takeAfter(after: number): Page | null {
    const signals = this.signals.filter(({ seq }) => seq > after);
    this.signals = [];
    this.changeCount = 0;
    const changes: Page['changes'] = [];
    let next = after + 1;
    for (const { seq, changes: own } of signals) {
      if (own === null || seq - own.length + 1 > next) return null;
      for (const [index, change] of own.entries()) {
        const number = seq - own.length + 1 + index;
        if (number === next) changes.push({ seq: next++, change });
      }
    }
    if (changes.length === 0) return null;
    return { changes, more: false, status: signals.at(-1)?.status ?? 'RUNNING' };
  }
}
