import type { Fetch } from '@millrace/sdk/transport';
import { explainMissingServer } from './explain-missing-server.js';

/** A `fetch` whose failure to reach the server says what to do. */
export function reachServer(baseUrl: string, headers: Record<string, string> = {}): Fetch {
  return async (input, init) => {
    try {
      return await fetch(input, { ...init, headers: { ...headers, ...(init.headers as object) } });
    } catch (error) {
      throw init.signal?.aborted ? error : explainMissingServer(baseUrl, error);
    }
  };
}
