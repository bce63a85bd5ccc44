import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setRetryAfter } from './set-retry-after.js';
import { toApiError } from './to-api-error.js';

/** What was said of a content that turned out not to be there. */
const OF_CONTENT = ['accept-ranges', 'content-disposition', 'content-length', 'content-range', 'etag'];

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
    if (known.isServerError) {
      const isForeseen = known.code !== 'internal_error';
      // The route and not the path, which may hold a credential: a webhook's token, a signature.
      const entry = { message: 'A request failed', requestId: request.id, route: request.routeOptions.url, error };
      if (isForeseen) this.logger.warn(entry);
      else this.logger.error(entry);
      known.details = { request_id: request.id, ...known.details };
    }
    if (reply.raw.headersSent) return void reply.raw.destroy();
    setRetryAfter(known, reply);
    if (known.status === 401) void reply.header('www-authenticate', 'Bearer, Token');
    for (const name of OF_CONTENT) void reply.removeHeader(name);
    void reply.code(known.status).type('application/json').send(known.toBody());
  }
}
