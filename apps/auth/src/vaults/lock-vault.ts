import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

export interface LockedVault {
  id: string;
  name: string;
  plan: string;
  planRoles: boolean;
}

/** Locks a vault, to serialize changes that depend on several of its records, such as the number of its owners. */
export async function lockVault(tx: Transaction, id: string): Promise<LockedVault> {
  const [vault] = await tx.$queryRaw<LockedVault[]>`
    SELECT id::text, name, plan, plan_roles AS "planRoles" FROM auth.vault WHERE id = ${id}::uuid FOR UPDATE`;
  if (!vault) throw new ApiError('not_found', `Vault ${id} does not exist.`);
  return vault;
}
