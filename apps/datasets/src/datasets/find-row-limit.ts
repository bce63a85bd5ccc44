import type { Transaction } from '@millrace/persistence/database';

/**
 * The number of rows that all Live Tables of a vault may have: what an administrator has set, or the setting of the
 * installation.
 * @returns undefined if there is no limit
 */
export async function findRowLimit(
  tx: Pick<Transaction, '$queryRaw'>,
  vault: string,
  setting: number | undefined,
): Promise<number | undefined> {
  const [found] = await tx.$queryRaw<{ rows: bigint | null }[]>`
    SELECT live_rows AS rows FROM datasets.vault_override WHERE vault_id = ${vault}::uuid`;
  return found === undefined || found.rows === null ? setting : Number(found.rows);
}
