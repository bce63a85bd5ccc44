import { toLine } from '../to-line.js';
import type { NodeView, Retry } from './run-view.js';

/** Describes a retry in one line: `  a-1 RETRY attempt 1 of 3 failed: exit code 4`. */
export function describeRetry({ node, maxAttempts }: NodeView, { attempt, isLost, message }: Retry): string {
  const outcome = `attempt ${attempt} of ${maxAttempts} ${isLost ? 'lost' : 'failed'}`;
  const reason = toLine(message?.split('\n', 1)[0] ?? '');
  return `   ${node} RETRY ${reason === '' ? outcome : `${outcome}: ${reason}`}`;
}

/**
 * Explains the status of a node in one line: `attempt 3 of 3: exit code 4: no such host`, `skipped: resolve-1 failed`. Returns
 * null if there is no reason, or if it has not been fetched yet.
 */
export function explainNode({
  status,
  message,
  isUnexplained,
  attempt,
  maxAttempts,
  children,
}: NodeView): string | null {
  if (isUnexplained || message === null || !['FAILED', 'PENDING', 'SKIPPED', 'STOPPED'].includes(status)) return null;
  const line = toLine(message.split('\n', 1)[0] ?? '');
  return status === 'FAILED' && maxAttempts > 1 && children === null
    ? `attempt ${attempt} of ${maxAttempts}: ${line}`
    : line;
}
