import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Database } from '@millrace/persistence/database';
import type { Prisma } from '@millrace/persistence/generated/client';
import { inVault } from '@millrace/persistence/tenancy';

export const withMembers = {
  vault: true,
  members: { include: { user: true }, orderBy: { addedAt: 'asc' } },
} satisfies Prisma.TeamInclude;

export type FullTeam = Prisma.TeamGetPayload<{ include: typeof withMembers }>;

/** Finds a team of the caller's vault. @throws NotFoundError */
export async function findTeam(
  client: Pick<Database['client'], 'team'>,
  id: string,
  caller: Caller,
): Promise<FullTeam> {
  const found = await client.team.findFirst({ where: { id: BigInt(id), ...inVault(caller) }, include: withMembers });
  if (!found) throw new NotFoundError(`Team ${id}`);
  return found;
}
