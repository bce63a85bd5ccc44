import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '@millrace/service/html';
import { setRetryAfter } from '../../http/set-retry-after.js';
import { toApiError } from '../../http/to-api-error.js';
import { sendPage } from '../layout/page.js';
import { explainProblem } from './explain-problem.js';

const logger = new Logger('Pages');

/** A failure that a page did not foresee, as a page. */
export function answerAsPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toApiError(error);
  if (problem.isServerError) {
    logger.error({ message: 'A page failed', requestId: request.id, url: request.url.split('?')[0], error });
  }
  setRetryAfter(problem, reply);
  const body = html`<p>Request ${request.id}</p>`;
  return sendPage(reply, { title: 'This did not work', problem: explainProblem(problem), body }, problem.status);
}
