import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

export interface LockedVault {
  id: string;
  name: string;
  plan: string;
  planRoles: boolean;
}

/** Takes a vault for changes that look at several of its records, like the count of its owners, one at a time. */
export async function lockVault(tx: Transaction, id: string): Promise<LockedVault> {
  const [vault] = await tx.$queryRaw<LockedVault[]>`
    SELECT id::text, name, plan, plan_roles AS "planRoles" FROM auth.vault WHERE id = ${id}::uuid FOR UPDATE`;
  if (!vault) throw new NotFoundError('Vault');
  return vault;
}
