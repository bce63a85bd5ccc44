import { isSystemError } from './describe-system-error.js';

/** Whether a stream was interrupted. `fetch` and its streams throw a TypeError whose cause is a network error, or without a cause. */
export function isLostConnection(error: unknown): error is Error {
  if (!isErrorLike(error)) return false;
  if (error.name === 'TimeoutError' || error.message.startsWith('The connection was silent')) return true;
  return (
    error instanceof TypeError && (/^(fetch failed|terminated)$/.test(error.message) || isSystemError(error.cause))
  );
}

export const isErrorLike = (error: unknown): error is Error =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string';
