import { MAX_LOG_SAMPLES } from '@millrace/contracts/runs/log-samples';

export const SAMPLE_INTERVAL_MS = 250;

/**
 * Sizes of a growing log and when it had them. A byte was written at or before the first sample that is larger than its offset.
 * The number of samples is bounded: if there are too many, the interval doubles, and of the samples within one interval the last
 * one is kept.
 */
export class LogSamples {
  private readonly offsets: number[] = [];
  private readonly times: number[] = [];
  private intervalMs = SAMPLE_INTERVAL_MS;

  constructor(private readonly maxSamples = MAX_LOG_SAMPLES) {}

  /** Sizes in bytes, in increasing order. */
  get sizes(): readonly number[] {
    return this.offsets;
  }

  /** Adds a sample if the log has grown since the last one. */
  add(size: number, elapsedMs: number): void {
    // The command has truncated its log: these bytes no longer exist.
    while ((this.offsets.at(-1) ?? 0) > size) this.removeLast();
    if (size <= (this.offsets.at(-1) ?? 0)) return;
    const previous = this.times.at(-1);
    const isThinned = this.intervalMs > SAMPLE_INTERVAL_MS;
    if (isThinned && previous !== undefined && this.intervalOf(previous) === this.intervalOf(elapsedMs))
      this.removeLast();
    this.offsets.push(size);
    this.times.push(elapsedMs);
    while (this.offsets.length > this.maxSamples) this.thin();
  }

  /**
   * Pairs of offset and time in one list.
   * @param translate the offset in the log as users read it
   */
  list(translate: (offset: number) => number = (offset) => offset): number[] {
    const pairs: number[] = [];
    for (const [place, size] of this.offsets.entries()) {
      const offset = translate(size);
      // Samples within one secret value, or behind the end, have the same offset.
      if (offset > (pairs.at(-2) ?? 0)) pairs.push(offset, this.times[place] ?? 0);
    }
    return pairs;
  }

  private removeLast(): void {
    this.offsets.pop();
    this.times.pop();
  }

  private intervalOf = (elapsedMs: number): number => Math.floor(elapsedMs / this.intervalMs);

  /** O(samples), at most once for each doubling of the interval. */
  private thin(): void {
    this.intervalMs *= 2;
    let kept = 0;
    for (const [place, time] of this.times.entries()) {
      const next = this.times[place + 1];
      if (next !== undefined && this.intervalOf(next) === this.intervalOf(time)) continue;
      this.offsets[kept] = this.offsets[place] ?? 0;
      this.times[kept] = time;
      kept += 1;
    }
    this.offsets.length = kept;
    this.times.length = kept;
  }
}
