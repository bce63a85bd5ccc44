import type { z } from 'zod';
import type { adminVault } from '@millrace/contracts/auth/admin/admin-vaults';
import type { Transaction } from '@millrace/persistence/database';
import type { Vault } from '@millrace/persistence/generated/client';

type AdminVault = z.input<typeof adminVault>;

const MAX_OWNERS = 5;

/** Describes vaults with their numbers of members and their owners, by two queries for all of them. */
export async function describeVaults(
  client: Pick<Transaction, 'user'>,
  rows: Vault[],
  usageById: ReadonlyMap<string, AdminVault['usage']>,
): Promise<AdminVault[]> {
  const vaultId = { in: rows.map(({ id }) => id) };
  const by = ['vaultId'] as ['vaultId'];
  const [counts, owners] = await Promise.all([
    client.user.groupBy({ by, where: { vaultId }, _count: true }),
    client.user.findMany({
      where: { vaultId, vaultRole: 'owner' },
      select: { vaultId: true, email: true },
      orderBy: { id: 'asc' },
    }),
  ]);
  const membersById = new Map(counts.map((row) => [row.vaultId, row._count]));
  const ownersById = Map.groupBy(owners, (owner) => owner.vaultId);
  return rows.map((row) => ({
    ...{ id: row.id, name: row.name, plan: row.plan },
    state: row.suspendedAt ? ('suspended' as const) : ('active' as const),
    ...(row.suspendedAt && { suspended_date: row.suspendedAt.toISOString(), stops_runs: row.stopRuns }),
    ...(row.suspendedAt && row.suspendedReason !== null && { suspended_reason: row.suspendedReason }),
    members: membersById.get(row.id) ?? 0,
    owners: (ownersById.get(row.id) ?? []).slice(0, MAX_OWNERS).map(({ email }) => email),
    limits: toLimits(row),
    usage: usageById.get(row.id) ?? {},
    created_date: row.createdAt.toISOString(),
  }));
}

export const toLimits = (row: Vault): AdminVault['limits'] => ({
  active_runs: row.activeRuns,
  dispatches: row.dispatches,
  storage_bytes: row.storageBytes === null ? null : Number(row.storageBytes),
  live_rows: row.liveRows === null ? null : Number(row.liveRows),
});
