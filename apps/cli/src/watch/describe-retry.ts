import type { NodeView, Retry } from './run-view.js';

/** One line about a retry: `  a-1 RETRY attempt 1 of 3 failed: exit code 4`. */
export function describeRetry({ node, maxAttempts }: NodeView, { attempt, isLost, message }: Retry): string {
  const how = `attempt ${attempt} of ${maxAttempts} ${isLost ? 'lost' : 'failed'}`;
  const reason = message?.split('\n', 1)[0] ?? '';
  return `   ${node} RETRY ${reason === '' ? how : `${how}: ${reason}`}`;
}
