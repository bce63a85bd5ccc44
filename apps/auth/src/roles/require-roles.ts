import { ApiError } from '@millrace/contracts/kit/api-error';
import type { LockedVault } from '../vaults/lock-vault.js';

/** Whether a vault's plan includes roles other than the default ones. */
export const hasRoles = ({ planRoles }: LockedVault): boolean => planRoles;

/** @throws ApiError `plan_required` if the vault's plan includes only the default roles */
export function requireRoles(vault: LockedVault): void {
  if (hasRoles(vault)) return;
  throw new ApiError(
    'plan_required',
    `The plan "${vault.plan}" of this vault includes only the default roles. Change to a plan with roles to assign others.`,
  );
}
