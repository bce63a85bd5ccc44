import { InvalidArgumentError } from '@nats-io/nats-core';
import { ApiError } from '@millrace/contracts/kit/api-error';

/**
 * True if a message was not sent because it exceeds `max_payload` of the broker or the maximum string length, or is
 * nested deeper than JSON can be serialized, some thousand levels.
 */
export const isMessageTooLarge = (error: unknown): boolean =>
  (error instanceof InvalidArgumentError && error.message.includes('max_payload')) ||
  (error instanceof RangeError && /string length|call stack/.test(error.message));

/** Replaces a response that is too large to send. */
export const createResponseTooLargeError = (): ApiError =>
  new ApiError('payload_too_large', 'The response is too large. Request a smaller `page_size`.');
