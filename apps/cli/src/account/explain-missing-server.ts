import { CliError } from '../cli-error.js';
import { isLoopback } from './is-loopback.js';

/** Nothing answers: most often a server of this machine that has not been started. */
export function explainMissingServer(url: string, cause: unknown): CliError {
  const advice = isLoopback(new URL(url))
    ? 'Start Millrace with: npm run up\nIf it runs on another port, set MILLRACE_URL=http://127.0.0.1:<port>'
    : 'Check the address (--url or MILLRACE_URL) and your network.';
  return new CliError(`No server responds at ${url} (${reasonOf(cause)}).\n${advice}`, { cause });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof AggregateError ? (error.cause.errors[0] as unknown) : error.cause;
  return inner instanceof Error && inner.message !== '' ? inner.message : error.message;
}
