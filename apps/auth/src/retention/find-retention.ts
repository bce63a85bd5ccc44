import type { z } from 'zod';
import type { getVaultRetention } from '@millrace/contracts/auth/retention';
import type { Database } from '@millrace/persistence/database';

type Policy = z.input<typeof getVaultRetention.response>;

/** The limits that apply to a vault, or to a space of it, and where they come from. */
export async function findRetention(
  client: Pick<Database['client'], 'retentionSetting'>,
  vault: string,
  space?: string,
): Promise<Policy> {
  const scopes = [vault, ...(space === undefined ? [] : [space])];
  const rows = await client.retentionSetting.findMany({ where: { vaultId: vault, scopeId: { in: scopes } } });
  const row = rows.find(({ scopeId }) => scopeId === space) ?? rows[0];
  if (!row) return { days: null, runs: null, source: 'default' };
  return { days: row.days, runs: row.runs, source: row.scopeId === vault ? 'vault' : 'space' };
}
