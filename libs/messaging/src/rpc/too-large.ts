import { InvalidArgumentError } from '@nats-io/nats-core';
import { ApiError } from '@millrace/contracts/kit/api-error';

/**
 * Whether a message was not sent because the broker takes none of its size (`max_payload`), a string cannot hold it, or it
 * is nested deeper than JSON can be written, some thousand levels.
 */
export const isTooLarge = (error: unknown): boolean =>
  (error instanceof InvalidArgumentError && error.message.includes('max_payload')) ||
  (error instanceof RangeError && /string length|call stack/.test(error.message));

/** In place of an answer that cannot be sent. */
export const responseTooLarge = (): ApiError =>
  new ApiError('payload_too_large', 'The answer is too large to be passed on; ask for a smaller page_size');
