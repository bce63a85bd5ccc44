import { measureMemory } from './measure-memory.js';

const MIN_SAMPLE_INTERVAL_MS = 100;
/** A look takes at most this share of the time: one over it. */
const PAUSE_FACTOR = 20;

export interface MemoryWatch {
  /** Whether the command had more than it may. */
  exceeded(): boolean;
  stop(): void;
}

/**
 * Measures the memory of a command's processes ten times a second, and calls `onExceeded` once if they have more than `bytes`
 * together. For machines where no control group bounds it: a command that takes memory quickly passes the bound for a moment,
 * and one that gives it back before the next look is not noticed.
 */
export function watchMemory(
  bytes: number,
  processes: () => Promise<readonly number[]>,
  onExceeded: () => void,
): MemoryWatch {
  let exceeded = false;
  let over = false;
  const sample = async () => {
    const begun = Date.now();
    const used = measureMemory(await processes(), bytes);
    if (over) return;
    exceeded = used > bytes;
    if (exceeded) return onExceeded();
    timer = setTimeout(() => void sample(), Math.max(MIN_SAMPLE_INTERVAL_MS, PAUSE_FACTOR * (Date.now() - begun)));
  };
  let timer = setTimeout(() => void sample(), MIN_SAMPLE_INTERVAL_MS);
  const stop = () => {
    over = true;
    clearTimeout(timer);
  };
  return { exceeded: () => exceeded, stop };
}
