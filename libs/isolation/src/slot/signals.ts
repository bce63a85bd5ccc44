import { constants } from 'node:os';

/** A file became too large (RLIMIT_FSIZE). */
const { SIGXFSZ } = constants.signals;
/** A shell, and the first process of a container, turn the signal of their child into an exit code above this one. */
export const SIGNAL_BASE = 128;

const NAMES = new Map(Object.entries(constants.signals).map(([name, number]): [number, string] => [number, name]));

export const signalName = (signal: number): string => NAMES.get(signal) ?? `signal ${signal}`;

/** Whether a command ended because a file became too large. @param signal null if it exited by itself */
export const endedByFileSize = (code: number | null, signal: number | null): boolean =>
  signal === SIGXFSZ || code === SIGNAL_BASE + SIGXFSZ;
