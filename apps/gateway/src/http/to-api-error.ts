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
  // Nest wraps the body parser's error and drops its code; the message is Fastify's own.
  if (status === 400 && message?.includes('JSON')) return new ApiError('malformed_json', message);
  if (status >= 400 && status < 500) return new ApiError('validation_error', message ?? 'The request is not valid.');
  return (
    explainOutage(error) ??
    new ApiError(
      'internal_error',
      'The server failed to handle the request. Try again; if it fails again, report the `request_id`.',
    )
  );
}
