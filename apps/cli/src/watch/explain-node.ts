import type { NodeView } from './run-view.js';

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
