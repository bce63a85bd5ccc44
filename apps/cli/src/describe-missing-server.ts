import type { ConnectionError } from '@millrace/client';
import { isLoopback } from './account/choose-server.js';

/** Describes that no server responds. Most often, the server on this machine has not been started. */
export function describeMissingServer({ url, reason }: ConnectionError): string {
  const { origin } = new URL(url);
  const advice = isLoopback(new URL(url))
    ? 'Start Millrace with: npm run up\nIf it runs on another port, set MILLRACE_URL=http://127.0.0.1:<port>'
    : 'Check the address (--url or MILLRACE_URL) and your network.';
  return `No server responds at ${origin} (${reason}).\n${advice}`;
}
