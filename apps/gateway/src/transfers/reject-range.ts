import type { FastifyReply } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';

/** Responds with 416 to a range outside of the content (RFC 9110, 15.5.17). */
export function rejectRange(reply: FastifyReply, size: number, content: 'file' | 'log'): void {
  const problem = new ApiError(
    'validation_error',
    `The range lies outside of the ${content}, which has ${size} bytes.`,
    {
      'header.Range': `must begin before byte ${size}`,
    },
  );
  void reply.code(416).header('content-range', `bytes */${size}`).type('application/json').send(problem.toBody());
}
