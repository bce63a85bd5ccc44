/** Counts kept at the most. */
const MOST = 2_000;
/** `now` in a query goes on, and its count with it. */
const GOOD_MS = 60_000;

interface Known {
  count: number;
  until: number;
}

/** Counts that were taken, for the next page of the same query. A key names the revision of the table. */
export class KnownCounts {
  private readonly kept = new Map<string, Known>();

  get(key: string): number | null {
    const known = this.kept.get(key);
    return known && known.until > Date.now() ? known.count : null;
  }

  set(key: string, count: number): void {
    this.kept.delete(key);
    this.kept.set(key, { count, until: Date.now() + GOOD_MS });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST && oldest !== undefined) this.kept.delete(oldest);
  }
}
