import { LEASE_MS } from './mail-leases.js';

const EVERY_MS = 5_000;
/** What is broken off this long before anybody else may begin has ended by then. */
const MARGIN_MS = 5_000;

/** A lease that is renewed until `stop`. Where it was lost, or may soon be, `signal` says so. */
export class KeptLease {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private alarm?: NodeJS.Timeout;

  /**
   * @param begun when the lease was asked for, by `performance.now()`
   * @param renew gives false where the lease was lost
   */
  constructor(
    begun: number,
    private readonly renew: () => Promise<boolean>,
  ) {
    this.keepSince(begun);
    this.timer = setInterval(() => void this.turn(), EVERY_MS);
  }

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.alarm);
  }

  private async turn(): Promise<void> {
    const begun = performance.now();
    const isKept = await this.renew().catch(() => null);
    if (isKept) this.keepSince(begun);
    if (isKept === false) this.lost.abort();
  }

  private keepSince(begun: number): void {
    clearTimeout(this.alarm);
    this.alarm = setTimeout(() => this.lost.abort(), begun + LEASE_MS - MARGIN_MS - performance.now());
  }
}
