import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@millrace/contracts/kit/api-error';

const RETRY_MS = 300;

/**
 * Retries an idempotent call for up to `forMs`: services restart, and responses are lost.
 * @throws the last failure, or the first response with a 4xx status
 */
export async function retryCall<T>(call: () => Promise<T>, forMs: number): Promise<T> {
  for (const until = Date.now() + forMs; ; await sleep(RETRY_MS)) {
    try {
      return await call();
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status < 500;
      if (isRefusal || Date.now() > until) throw error;
    }
  }
}
