import { ConnectionError, MillraceError } from './millrace-error.js';
import { pause, retryDelay } from './retry-delay.js';

/** A stream fails after this number of consecutive failures, which takes about 40 seconds with the pauses between them. */
const MAX_FAILURES = 12;

/**
 * Reads a stream and opens it again after a lost connection, until `open` returns true. Yields what `open` yields; each value
 * resets the count of failures. Any other error ends the stream at once: a 4xx response, a response of another server, or a
 * mistake of the caller.
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
      if (!isTemporary(error) || signal?.aborted || failures >= MAX_FAILURES) throw error;
    }
    failures += 1;
    await pause(retryDelay(failures), signal);
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof MillraceError && error.status >= 500);
