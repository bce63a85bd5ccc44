import type { z } from 'zod';
import { ValidationError } from '@millrace/contracts/kit/api-error';

/**
 * Workers are the one part that runs other people's code: what they say is parsed, unlike what the gateway has parsed.
 * @throws ValidationError
 */
export function parseWorkerBody<Body extends z.ZodType>(operation: { body: Body }, said: unknown): z.output<Body> {
  const { data, error } = operation.body.safeParse(said);
  if (error) throw new ValidationError({ body: error.message });
  return data;
}
