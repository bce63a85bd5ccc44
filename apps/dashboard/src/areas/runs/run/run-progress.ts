import type { Run } from '@millrace/client';

type Insights = Run['run_insights'];

/** How far a run is. */
export interface Progress {
  done: number;
  total: number;
  /** From 0 to 1. */
  share: number;
}

export function progressOf({ total, pending, running, stopping }: Insights): Progress {
  const done = Math.max(0, total - pending - running - stopping);
  return { done, total, share: total === 0 ? 0 : done / total };
}

/** How fast a run is. */
export interface Pace {
  /** Subjobs that ended per second. */
  rate: number;
  /** Milliseconds until all have ended at this rate. */
  remainingMs: number;
}

/** A rate of less than this many ended subjobs is chance. */
const MIN_DONE = 3;

/** The rate since the run started. Undefined until enough subjobs have ended, and when none is left. */
export function paceOf({ done, total }: Progress, elapsedMs: number): Pace | undefined {
  if (done < MIN_DONE || done >= total || elapsedMs <= 0) return undefined;
  const rate = done / (elapsedMs / 1000);
  return { rate, remainingMs: ((total - done) / rate) * 1000 };
}

/** The middle of a list of numbers; undefined if it is empty. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** A duration against the median of earlier runs in words: `as usual`, `1.8 × the median`. */
export function compareWithMedian(durationMs: number, medianMs: number): string {
  const ratio = durationMs / Math.max(1, medianMs);
  if (ratio > 0.9 && ratio < 1.1) return 'as usual';
  return `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)} × the median`;
}
