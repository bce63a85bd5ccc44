import type { z } from 'zod';
import type { member } from '@millrace/contracts/auth/members';
import { strongestVaultRole, type VaultRole } from '@millrace/contracts/kit/permissions';
import type { FullMember } from './find-member.js';

export function toMember(row: FullMember): z.input<typeof member> {
  const teams = row.memberships.map(({ team }) => team);
  const direct = row.vaultRole as VaultRole;
  const roles = [direct, ...teams.flatMap(({ vaultRole }) => (vaultRole === null ? [] : [vaultRole as VaultRole]))];
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    vault_role: direct,
    effective_role: strongestVaultRole(roles) ?? direct,
    teams: teams.map(({ id, name }) => ({ id: String(id), name })),
    is_google: row.isGoogle,
    mfa_enabled: row.mfaConfirmedAt !== null,
    disabled: row.disabledAt !== null,
    created_date: row.createdAt.toISOString(),
  };
}
