/** One Ctrl-C arrives twice, from the terminal and from npx. A signal within this time after the first is the same Ctrl-C. */
const DUPLICATE_SIGNAL_WINDOW_MS = 1_000;

let activeHandlers = 0;

/** Whether a command handles Ctrl-C itself now, and chooses when this process ends. */
export const handlesInterrupts = (): boolean => activeHandlers > 0;

/**
 * Calls `stop` at the first Ctrl-C and ends this process at the second one.
 * @returns whether Ctrl-C was pressed, and a function that removes the signal handlers
 */
export function stopOnInterrupt(stop: () => void): { isInterrupted: () => boolean; release: () => void } {
  let first: number | null = null;
  const onSignal = () => {
    if (first === null) {
      first = Date.now();
      stop();
    } else if (Date.now() - first > DUPLICATE_SIGNAL_WINDOW_MS) {
      process.exit(130);
    }
  };
  activeHandlers += 1;
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    isInterrupted: () => first !== null,
    release: () => {
      activeHandlers -= 1;
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
