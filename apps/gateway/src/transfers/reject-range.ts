import type { FastifyReply } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';

/** Answers a range that lies outside of what there is (RFC 9110, 15.5.17). */
export function refuseRange(reply: FastifyReply, size: number, what: 'file' | 'log'): void {
  const problem = new ApiError('validation_error', `The range lies outside of the ${what}`, {
    'header.Range': `size is ${size}`,
  });
  void reply.code(416).header('content-range', `bytes */${size}`).type('application/json').send(problem.toBody());
}
