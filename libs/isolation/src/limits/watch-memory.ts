import { measureMemory } from './measure-memory.js';

const MIN_SAMPLE_INTERVAL_MS = 100;
/** The pause after a sample is this many times as long as the sample took. */
const PAUSE_FACTOR = 20;

export interface MemoryWatch {
  /** Whether the command has used more than its limit. */
  exceeded(): boolean;
  stop(): void;
}

/**
 * Measures the memory of a command's processes ten times a second, and calls `onExceeded` once if they use more than `bytes`
 * together. It is for machines without a control group: a command can exceed the limit for a moment, and is not noticed if
 * it frees the memory before the next sample.
 */
export function watchMemory(
  bytes: number,
  processes: () => Promise<readonly number[]>,
  onExceeded: () => void,
): MemoryWatch {
  let exceeded = false;
  let isStopped = false;
  const sample = async () => {
    const startedAt = Date.now();
    const used = measureMemory(await processes(), bytes);
    if (isStopped) return;
    exceeded = used > bytes;
    if (exceeded) return onExceeded();
    timer = setTimeout(() => void sample(), Math.max(MIN_SAMPLE_INTERVAL_MS, PAUSE_FACTOR * (Date.now() - startedAt)));
  };
  let timer = setTimeout(() => void sample(), MIN_SAMPLE_INTERVAL_MS);
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
  };
  return { exceeded: () => exceeded, stop };
}
