import type { Payload } from '@millrace/contracts/kit/event';
import type { Result } from '@millrace/contracts/kit/operation';
import type { runChanged } from '@millrace/contracts/runs/engine';
import type { runEvents } from '@millrace/contracts/runs/runs';
import { Waker } from './waker.js';

export type Page = Result<typeof runEvents>;

/** Changes kept for a slow reader; it asks for what was dropped. */
const MAX_KEPT = 1_000;

/** Signals of one run that came while its reader was busy, as far as they follow on each other. */
export class ChangeInbox {
  private readonly waker = new Waker();
  private told: Payload<typeof runChanged>[] = [];
  private kept = 0;

  put(told: Payload<typeof runChanged>): void {
    this.kept += told.changes?.length ?? 0;
    if (this.kept > MAX_KEPT) {
      this.told = [];
      this.kept = 0;
    } else this.told.push(told);
    this.waker.wake();
  }

  wait(patienceMs: number): Promise<void> {
    return this.waker.wait(patienceMs);
  }

  /** What follows on number `after`, or null where something is missing and must be asked for. */
  takeAfter(after: number): Page | null {
    const told = this.told.filter(({ seq }) => seq > after);
    this.told = [];
    this.kept = 0;
    const changes: Page['changes'] = [];
    let next = after + 1;
    for (const { seq, changes: own } of told) {
      if (own === null || seq - own.length + 1 > next) return null;
      for (const [at, change] of own.entries()) {
        const number = seq - own.length + 1 + at;
        if (number === next) changes.push({ seq: next++, change });
      }
    }
    if (changes.length === 0) return null;
    return { changes, more: false, status: told.at(-1)?.status ?? 'RUNNING' };
  }
}
