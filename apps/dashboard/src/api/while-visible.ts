import { describeError, isSessionOver } from './describe-error.js';
import { reportEndedSession, sessionEnded } from './session-state.js';

/** The client reconnects for a while. After a longer outage `follow` is run again. */
const RERUN_INTERVAL_MS = 2_000;

/**
 * Runs `follow` while the page is visible and has a session, and again each time it becomes so. Browsers allow six connections
 * to a server over HTTP/1.1 for all tabs together, so hidden tabs must not occupy any with a stream.
 * @returns ends this
 */
export function whileVisible(follow: (signal: AbortSignal) => Promise<void>): () => void {
  let current: AbortController | undefined;
  const update = () => {
    if (document.visibilityState === 'hidden' || sessionEnded.get()) {
      current?.abort();
      current = undefined;
    } else if (!current) {
      current = new AbortController();
      void runUntilEnd(follow, current.signal);
    }
  };
  document.addEventListener('visibilitychange', update);
  const unsubscribe = sessionEnded.subscribe(update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    unsubscribe();
    current?.abort();
  };
}

async function runUntilEnd(follow: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await follow(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isSessionOver(error)) return reportEndedSession();
      // Requests of the page report other errors as well.
      if (!describeError(error).isTemporary) return;
      await new Promise((resolve) => setTimeout(resolve, RERUN_INTERVAL_MS));
    }
  }
}
