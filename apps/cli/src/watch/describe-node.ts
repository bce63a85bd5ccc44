import type { NodeView, Retry } from './run-view.js';

/** One line about a retry: `  a-1 RETRY attempt 1 of 3 failed: exit code 4`. */
export function describeRetry({ node, maxAttempts }: NodeView, { attempt, isLost, message }: Retry): string {
  const how = `attempt ${attempt} of ${maxAttempts} ${isLost ? 'lost' : 'failed'}`;
  const reason = message?.split('\n', 1)[0] ?? '';
  return `   ${node} RETRY ${reason === '' ? how : `${how}: ${reason}`}`;
}

/**
 * Says on one line why a node is as it is: `attempt 3 of 3: exit code 4: no such host`, `skipped: resolve-1 failed`. Null
 * if there is nothing to say, or if the reason is not known yet.
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
  const line = message.split('\n', 1)[0] ?? '';
  return status === 'FAILED' && maxAttempts > 1 && children === null
    ? `attempt ${attempt} of ${maxAttempts}: ${line}`
    : line;
}
