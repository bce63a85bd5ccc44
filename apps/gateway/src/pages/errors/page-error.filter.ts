import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerAsPage } from './send-error-page.js';

/** Failures of routes that a person's browser is at, as a page. */
@Catch()
export class PageFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void answerAsPage(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
