import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';

/** Every failure as `{code, message, details?}`; what nobody foresaw as a 500 with the request's id and no internals. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(HttpErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    this.answer(error, request, http.getResponse<FastifyReply>());
  }

  /** Also used for failures before a route is found, which Fastify handles itself. */
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const known = toApiError(error);
    if (known.code === 'internal_error') {
      this.logger.error({ message: 'A request failed', requestId: request.id, url: request.url.split('?')[0], error });
      known.details ??= { request_id: request.id };
    }
    if (reply.raw.headersSent) return void reply.raw.destroy();
    const wait = known.details?.['retry_after'];
    if (known.code === 'rate_limited') void reply.header('retry-after', typeof wait === 'number' ? wait : 60);
    if (known.status === 401) void reply.header('www-authenticate', 'Bearer, Token');
    void reply.code(known.status).send(known.toBody());
  }
}

/** Fastify's own errors by their code (docs: Reference/Errors), Nest's by their status. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode, message } = error as Partial<FastifyError>;
  const status = error instanceof HttpException ? error.getStatus() : (statusCode ?? 500);
  if (status === 413) return new ApiError('payload_too_large', 'The body is too large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || status === 415) {
    return new ApiError('validation_error', 'Send "Content-Type: application/json"', {
      'header.Content-Type': 'is not supported',
    });
  }
  if (status === 404) return new ApiError('not_found', 'There is nothing at this path with this method');
  // Nest wraps the body parser's error and drops its code; the message is Fastify's own.
  if (status === 400 && message?.includes('JSON')) return new ApiError('malformed_json', message);
  if (status >= 400 && status < 500) return new ApiError('validation_error', message ?? 'The request is not valid');
  return new ApiError('internal_error', 'Internal error');
}
