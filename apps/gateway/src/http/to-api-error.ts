import { HttpException } from '@nestjs/common';
import type { FastifyError } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { explainOutage } from '@millrace/messaging/rpc/explain-outage';

/** Converts Fastify's errors by their code (docs: Reference/Errors) and Nest's by their status. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode, message } = error as Partial<FastifyError>;
  const status = error instanceof HttpException ? error.getStatus() : (statusCode ?? 500);
  if (status === 413)
    return new ApiError(
      'payload_too_large',
      'The request body is too large for this operation. Send less in one request.',
    );
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || status === 415) {
    return new ApiError(
      'validation_error',
      'This operation does not accept this content type. Send "Content-Type: application/json".',
      {
        'header.Content-Type': 'is not supported',
      },
    );
  }
  if (status === 404)
    return new ApiError('not_found', 'No operation has this path and method. GET /api/docs lists all of them.');
  const bodyError = status === 400 ? toBodyError(message) : null;
  if (bodyError) return bodyError;
  if (status >= 400 && status < 500) return new ApiError('validation_error', message ?? 'The request is not valid.');
  return (
    explainOutage(error) ??
    new ApiError(
      'internal_error',
      'The server failed to handle the request. Try again; if it fails again, report the `request_id`.',
    )
  );
}

/** Nest wraps the body parser's error and drops its code, so Fastify's message identifies the error. */
function toBodyError(message = ''): ApiError | null {
  if (message.startsWith('Body is not valid JSON'))
    return new ApiError(
      'malformed_json',
      'The body is not valid JSON. Check its quotes, commas and brackets, and send it again.',
    );
  if (message.startsWith('Body cannot be empty'))
    return new ApiError(
      'validation_error',
      'The body is empty. Send a JSON object such as {}, or omit the header "Content-Type".',
    );
  if (message.includes('Content-Length'))
    return new ApiError(
      'validation_error',
      'The body does not have the length that the header "Content-Length" states.',
    );
  return message.includes('JSON') ? new ApiError('malformed_json', 'The body is not valid JSON.') : null;
}
