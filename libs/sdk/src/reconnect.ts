import { MillraceError } from './millrace-error.js';
import { pause, retryDelay } from './retry-delay.js';

/** Failures in a row after which a stream fails; with the pauses between them about 40 seconds. */
const MAX_FAILURES = 12;

/**
 * Reads a stream that may break, again and again until `open` returns true; what `open` yields is passed on and proves
 * that it works. A 4xx response ends it at once.
 */
export async function* reconnect<T>(open: () => AsyncGenerator<T, boolean>, signal?: AbortSignal): AsyncGenerator<T> {
  for (let failures = 0; ;) {
    try {
      const attempt = open();
      for (let step = await attempt.next(); ; step = await attempt.next()) {
        if (step.done) {
          if (step.value) return;
          break;
        }
        failures = 0;
        yield step.value;
      }
    } catch (error) {
      const refused = error instanceof MillraceError && error.status < 500;
      if (refused || signal?.aborted || failures >= MAX_FAILURES) throw error;
    }
    failures += 1;
    await pause(retryDelay(failures), signal);
  }
}
