import type { z } from 'zod';
import type { listDeadLetters, retryDeadLetters } from '@millrace/contracts/auth/admin/dead-letters';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Input } from '@millrace/contracts/kit/operation';
import { Prisma } from '@millrace/persistence/generated/client';

type Filters = Pick<Input<typeof listDeadLetters>['query'], 'kind' | 'service' | 'name' | 'before'>;

/** Prisma filter for the filters of a list. */
export const toWhere = ({ kind, service, name, before }: Filters): Prisma.DeadLetterWhereInput => ({
  ...(kind !== undefined && { kind }),
  ...(service !== undefined && { service }),
  ...(name !== undefined && { name }),
  ...(before !== undefined && { failedAt: { lt: new Date(before) } }),
});

/**
 * Prisma filter for the dead letters that a request names.
 * @throws ValidationError if it names none: an empty body must not drop everything
 */
export function toChosen({
  ids,
  ...filters
}: z.output<(typeof retryDeadLetters)['body']>): Prisma.DeadLetterWhereInput {
  const where = toWhere(filters);
  if (ids === undefined && Object.keys(where).length === 0) {
    throw new ValidationError({ body: 'must have `ids`, or at least one of `kind`, `service`, `name` and `before`' });
  }
  return { ...where, ...(ids !== undefined && { id: { in: ids } }) };
}
