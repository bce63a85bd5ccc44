/** A terminal's Ctrl-C arrives twice, from the terminal and through npx: only a later one means "now". */
const SAME_SIGNAL_MS = 1_000;

/**
 * Calls `stop` at the first Ctrl-C and ends this process at the second one.
 * @returns whether it was pressed, and how to take the ear off again
 */
export function stopOnInterrupt(stop: () => void): { pressed: () => boolean; release: () => void } {
  let first: number | null = null;
  const onSignal = () => {
    if (first === null) {
      first = Date.now();
      stop();
    } else if (Date.now() - first > SAME_SIGNAL_MS) {
      process.exit(130);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    pressed: () => first !== null,
    release: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
