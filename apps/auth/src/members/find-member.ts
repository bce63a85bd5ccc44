import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { inVault } from '@millrace/persistence/tenancy';

export const withTeams = {
  memberships: { include: { team: true }, orderBy: { addedAt: 'asc' } },
} satisfies Prisma.UserInclude;

export type FullMember = Prisma.UserGetPayload<{ include: typeof withTeams }>;

/** Finds a user of the caller's vault. @throws NotFoundError */
export async function findMember(
  client: Pick<Database['client'], 'user'>,
  id: string,
  caller: Caller,
): Promise<FullMember> {
  const where = { id, ...inVault(caller) };
  const found = isId(id) ? await client.user.findFirst({ where, include: withTeams }) : null;
  if (!found) throw new NotFoundError(`User ${id}`);
  return found;
}
