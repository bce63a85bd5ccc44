import type { z } from 'zod';
import type { adminUser } from '@millrace/contracts/auth/admin/admin-users';
import type { VaultRole } from '@millrace/contracts/kit/permissions';
import type { Transaction } from '@millrace/persistence/database';
import type { InstanceAdmin, User, Vault } from '@millrace/persistence/generated/client';
import { activeSession } from '../../sessions/sessions.service.js';

export type AdminUserRow = User & { vault: Vault; instanceAdmin: InstanceAdmin | null };

export const withVaultAndRole = { vault: true, instanceAdmin: true } as const;

type Client = Pick<Transaction, 'session'>;

/** Describes users with their newest sign-in, by two queries for all of them. */
export async function describeUsers(client: Client, rows: AdminUserRow[]): Promise<z.input<typeof adminUser>[]> {
  const userId = { in: rows.map(({ id }) => id) };
  const by = ['userId'] as ['userId'];
  const [newest, active] = await Promise.all([
    client.session.groupBy({ by, where: { userId }, _max: { createdAt: true } }),
    client.session.groupBy({ by, where: { userId, ...activeSession() }, _count: true }),
  ]);
  const signInById = new Map(newest.map((row) => [row.userId, row._max.createdAt]));
  const activeById = new Map(active.map((row) => [row.userId, row._count]));
  return rows.map((row) => toAdminUser(row, signInById.get(row.id) ?? null, activeById.get(row.id) ?? 0));
}

function toAdminUser(row: AdminUserRow, lastSignIn: Date | null, activeSessions: number): z.input<typeof adminUser> {
  const { vault, suspendedAt, suspendedReason } = row;
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    vault: { id: vault.id, name: vault.name, role: row.vaultRole as VaultRole },
    state: suspendedAt ? 'suspended' : row.disabledAt ? 'disabled' : 'active',
    ...(row.instanceAdmin && { instance_role: 'admin' as const }),
    is_google: row.isGoogle,
    mfa_enabled: row.mfaConfirmedAt !== null,
    has_api_token: row.tokenHash !== null,
    active_sessions: activeSessions,
    ...(lastSignIn && { last_sign_in_date: lastSignIn.toISOString() }),
    ...(suspendedAt && { suspended_date: suspendedAt.toISOString() }),
    ...(suspendedAt && suspendedReason !== null && { suspended_reason: suspendedReason }),
    created_date: row.createdAt.toISOString(),
  };
}
