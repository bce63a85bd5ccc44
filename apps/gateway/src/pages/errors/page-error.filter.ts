import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendErrorPage } from './send-error-page.js';

/** Sends errors of routes that users open in a browser as a page. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void sendErrorPage(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
