import type { getMe } from '@millrace/contracts/auth/users';
import type { Result } from '@millrace/contracts/kit/operation';
import type { VaultRole } from '@millrace/contracts/kit/permissions';
import type { InstanceAdmin, User } from '@millrace/persistence/generated/client';

/** A user with the role of an administrator, if they have it. */
export type UserWithRole = User & { instanceAdmin: InstanceAdmin | null };

export function toUser(row: UserWithRole): Result<typeof getMe> {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    vault: row.vaultId,
    vault_role: row.vaultRole as VaultRole,
    is_google: row.isGoogle,
    mfa_enabled: row.mfaConfirmedAt !== null,
    ...(row.instanceAdmin && { instance_role: 'admin' as const }),
    ...(row.tokenPrefix !== null && { token_prefix: row.tokenPrefix }),
    created_date: row.createdAt.toISOString(),
  };
}
