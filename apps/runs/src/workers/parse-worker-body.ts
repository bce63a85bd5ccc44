import type { z } from 'zod';
import { ValidationError } from '@millrace/contracts/kit/api-error';

/**
 * Parses a request of a worker. Workers run users' code, so their requests are not trusted; the gateway has parsed all others.
 * @throws ValidationError
 */
export function parseWorkerBody<Body extends z.ZodType>(operation: { body: Body }, body: unknown): z.output<Body> {
  const { data, error } = operation.body.safeParse(body);
  if (error) throw new ValidationError({ body: error.message });
  return data;
}
