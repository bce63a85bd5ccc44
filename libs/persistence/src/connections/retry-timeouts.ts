const MAX_ATTEMPTS = 6;

/**
 * Repeats a first connection that timed out: while all services start on a busy machine, connecting takes seconds. Any other
 * error tells at once what is wrong.
 * @throws the error of the last attempt
 */
export async function retryTimeouts(connect: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await connect();
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTimeout(error)) throw error;
    }
  }
}

/** `pg` has no codes for its own time limits, only texts: "timeout expired", "… due to connection timeout", "Query read timeout". */
const isTimeout = (error: unknown): boolean => /\btimeout\b/.test(String(error));
