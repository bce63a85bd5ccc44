import type { z } from 'zod';
import type { team } from '@millrace/contracts/auth/teams';
import type { VaultRole } from '@millrace/contracts/kit/permissions';
import type { FullTeam } from './find-team.js';

export const toTeam = (row: FullTeam): z.input<typeof team> => ({
  id: String(row.id),
  name: row.name,
  description: row.description,
  vault_id: row.vaultId,
  vault: row.vault.name,
  ...(row.vaultRole !== null && { vault_role: row.vaultRole as VaultRole }),
  members: row.members.map(({ user: { id, email, name } }) => ({ id, email, name })),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});
