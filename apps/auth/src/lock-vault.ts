import { ApiError, NotFound } from '@millrace/contracts/kit/api-error';
import type { Transaction } from '@millrace/persistence/database';

export interface LockedVault {
  id: string;
  name: string;
  plan: string;
}

/** Takes a vault for changes that look at several of its records, like the count of its owners, one at a time. */
export async function lockVault(tx: Transaction, id: string): Promise<LockedVault> {
  const [vault] = await tx.$queryRaw<LockedVault[]>`
    SELECT id::text, name, plan FROM auth.vault WHERE id = ${id}::uuid FOR UPDATE`;
  if (!vault) throw new NotFound('Vault');
  return vault;
}

/** Whether a vault's plan knows roles beyond the default ones. */
export const hasRoles = ({ plan }: LockedVault): boolean => plan === 'enterprise';

/** @throws ApiError `plan_required` where the vault's plan has no roles beyond the default ones */
export function requireRoles(vault: LockedVault): void {
  if (hasRoles(vault)) return;
  throw new ApiError(
    'plan_required',
    `Roles beyond the default ones need the plan "enterprise"; this vault has "${vault.plan}"`,
  );
}
