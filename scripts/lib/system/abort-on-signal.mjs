import { onEndSignal } from './run-system.mjs';

/** @returns a signal that aborts at the first SIGINT, SIGTERM or SIGHUP of this process */
export function abortOnSignal() {
  const ending = new AbortController();
  onEndSignal(
    () => ending.abort(),
    () => undefined,
  );
  return ending.signal;
}
