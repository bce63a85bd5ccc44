import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '@millrace/service/text/html';
import { setRetryAfter } from '../../http/set-retry-after.js';
import { toApiError } from '../../http/to-api-error.js';
import { sendPage } from '../layout/page.js';
import { explainProblem } from './explain-problem.js';

/** Sends errors of routes that users open in a browser as a page. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    void sendErrorPage(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

const logger = new Logger('Pages');

/** Sends an error that a page does not handle itself, as a page. */
export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toApiError(error);
  if (problem.isServerError) {
    logger.error({ message: 'Page request failed', requestId: request.id, url: request.url.split('?')[0], error });
  }
  setRetryAfter(problem, reply);
  const body = html`<p>Request ${request.id}</p>`;
  return sendPage(reply, { title: 'Something went wrong', problem: explainProblem(problem), body }, problem.status);
}
