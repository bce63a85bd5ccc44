import { LEASE_MS } from './mail-leases.js';

const RENEW_INTERVAL_MS = 5_000;
/** An attempt is aborted this long before its lease ends, so that it is over when another process may begin. */
const ABORT_MARGIN_MS = 5_000;

/** Renews a lease until `stop`. `signal` aborts if the lease was lost or is about to end. */
export class RenewedLease {
  private readonly lost = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private abortTimer?: NodeJS.Timeout;

  /**
   * @param requestedAt when the lease was requested, by `performance.now()`
   * @param renew returns false if the lease was lost
   */
  constructor(
    requestedAt: number,
    private readonly renew: () => Promise<boolean>,
  ) {
    this.extendFrom(requestedAt);
    this.timer = setInterval(() => void this.extend(), RENEW_INTERVAL_MS);
  }

  get signal(): AbortSignal {
    return this.lost.signal;
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.abortTimer);
  }

  private async extend(): Promise<void> {
    const requestedAt = performance.now();
    const isRenewed = await this.renew().catch(() => null);
    if (isRenewed) this.extendFrom(requestedAt);
    if (isRenewed === false) this.lost.abort();
  }

  private extendFrom(requestedAt: number): void {
    clearTimeout(this.abortTimer);
    this.abortTimer = setTimeout(() => this.lost.abort(), requestedAt + LEASE_MS - ABORT_MARGIN_MS - performance.now());
  }
}
