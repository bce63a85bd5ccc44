/** The page shows changes at most this often. The canvas of children follows each frame. */
const MIN_INTERVAL_MS = 100;

/**
 * Runs `work` in an animation frame after the first of any number of calls, and not more often than every 100 ms, so that 1,000
 * changes a second cost ten updates.
 */
export function batchByFrame(work: () => void): { schedule: () => void; cancel: () => void } {
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  const run = () => {
    frame = undefined;
    last = performance.now();
    work();
  };
  return {
    schedule: () => {
      if (frame !== undefined || timer !== undefined) return;
      const pause = last + MIN_INTERVAL_MS - performance.now();
      if (pause <= 0) frame = requestAnimationFrame(run);
      else
        timer = setTimeout(() => {
          timer = undefined;
          frame = requestAnimationFrame(run);
        }, pause);
    },
    cancel: () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      clearTimeout(timer);
      frame = timer = undefined;
    },
  };
}
