import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setRetryAfter } from './set-retry-after.js';
import { toApiError } from './to-api-error.js';

/** Headers that describe a content which an error response does not have. */
const CONTENT_HEADERS = ['accept-ranges', 'content-disposition', 'content-length', 'content-range', 'etag'];

/** Sends every failure as `{code, message, details?}`; an unexpected one as a 500 with the request's id and no internals. */
@Catch()
export class HttpErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(HttpErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    this.sendError(error, request, http.getResponse<FastifyReply>());
  }

  /** Also used for failures before a route is found, which Fastify handles itself. */
  sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const apiError = toApiError(error);
    if (apiError.isServerError) {
      const isExpected = apiError.code !== 'internal_error';
      // Logs the route instead of the path, which may contain a credential (a hook's token, a signature).
      const entry = { message: 'Request failed', requestId: request.id, route: request.routeOptions.url, error };
      if (isExpected) this.logger.warn(entry);
      else this.logger.error(entry);
      apiError.details = { request_id: request.id, ...apiError.details };
    }
    if (reply.raw.headersSent) return void reply.raw.destroy();
    setRetryAfter(apiError, reply);
    if (apiError.status === 401) void reply.header('www-authenticate', 'Bearer, Token');
    for (const name of CONTENT_HEADERS) void reply.removeHeader(name);
    void reply.code(apiError.status).type('application/json').send(apiError.toBody());
  }
}
