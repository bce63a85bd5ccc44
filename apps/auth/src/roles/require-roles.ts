import { ApiError } from '@millrace/contracts/kit/api-error';
import type { LockedVault } from '../vaults/lock-vault.js';

/** Whether a vault's plan knows roles beyond the default ones. */
export const hasRoles = ({ planRoles }: LockedVault): boolean => planRoles;

/** @throws ApiError `plan_required` where the vault's plan has no roles beyond the default ones */
export function requireRoles(vault: LockedVault): void {
  if (hasRoles(vault)) return;
  throw new ApiError(
    'plan_required',
    `Roles beyond the default ones need a plan that has them; "${vault.plan}", which this vault is on, does not`,
  );
}
