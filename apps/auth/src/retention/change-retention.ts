import { retentionChanged } from '@millrace/contracts/auth/retention';
import type { Transaction } from '@millrace/persistence/database';

/** Null means no limit. */
export interface RetentionLimits {
  days: number | null;
  runs: number | null;
}

/** A vault or a space of it. */
export interface RetentionScope {
  id: string;
  vault: string;
}

/**
 * Stores and publishes the limits of a vault or a space. Call it with the vault locked, so that the numbers of the changes
 * have the order of their commits.
 * @param limits null removes the limits of a space, which then has those of its vault
 * @returns whether something changed, and the former limits
 */
export async function changeRetention(
  tx: Transaction,
  scope: RetentionScope,
  limits: RetentionLimits | null,
): Promise<{ changed: boolean; former: RetentionLimits | null }> {
  const row = await tx.retentionSetting.findUnique({ where: { scopeId: scope.id } });
  const former = row && { days: row.days, runs: row.runs };
  if (former?.days === limits?.days && former?.runs === limits?.runs) return { changed: false, former };
  const key = { scopeId: scope.id };
  if (limits === null) await tx.retentionSetting.delete({ where: key });
  else {
    const values = { days: limits.days, runs: limits.runs };
    await tx.retentionSetting.upsert({
      where: key,
      create: { ...key, vaultId: scope.vault, ...values },
      update: { ...values, modifiedAt: new Date() },
    });
  }
  const [next] = await tx.$queryRaw<{ number: bigint }[]>`SELECT nextval('auth.retention_number') AS number`;
  tx.emit(retentionChanged, { vault: scope.vault, scope: scope.id, number: Number(next?.number), limits });
  return { changed: true, former };
}
