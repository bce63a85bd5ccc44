import { EXIT } from '../cli-context.js';

/** One Ctrl-C arrives twice, from the terminal and from npx. A signal within this time after the first is the same Ctrl-C. */
const DUPLICATE_SIGNAL_WINDOW_MS = 1_000;

let activeHandlers = 0;

/** Whether a command handles Ctrl-C itself now, and chooses when this process ends. */
export const handlesInterrupts = (): boolean => activeHandlers > 0;

/** The handling of Ctrl-C while a command works. */
export interface Interrupt {
  /** Whether Ctrl-C was pressed. */
  isInterrupted(): boolean;
  /** Forgets that Ctrl-C was pressed, because the user wants the command to go on. */
  forget(): void;
  /** Removes the signal handlers. */
  release(): void;
}

/** Calls `stop` at the first Ctrl-C, or another signal to end, and ends this process at the second one. */
export function stopOnInterrupt(stop: (signal: NodeJS.Signals) => void): Interrupt {
  let first: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    if (first === null) {
      first = Date.now();
      stop(signal);
    } else if (Date.now() - first > DUPLICATE_SIGNAL_WINDOW_MS) {
      process.exit(EXIT.interrupted);
    }
  };
  activeHandlers += 1;
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    isInterrupted: () => first !== null,
    forget: () => {
      first = null;
    },
    release: () => {
      activeHandlers -= 1;
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
