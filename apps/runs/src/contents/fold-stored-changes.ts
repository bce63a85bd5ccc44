import type { Database } from '@millrace/persistence/database';

const BATCH_SIZE = 10_000;

/** Adds the changes of what vaults store to their totals. The sum of both is always exact. @returns number of changes */
export async function foldStoredChanges({ client }: Database): Promise<number> {
  const [row] = await client.$queryRaw<{ changes: number }[]>`
    WITH taken AS (
      DELETE FROM runs.stored_change WHERE id = ANY(ARRAY(
        SELECT id FROM runs.stored_change ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))
      RETURNING vault_id, bytes),
    added AS (
      INSERT INTO runs.stored_total AS t (vault_id, bytes)
      SELECT vault_id, sum(bytes)::bigint FROM taken GROUP BY vault_id ORDER BY vault_id
      ON CONFLICT (vault_id) DO UPDATE SET bytes = t.bytes + excluded.bytes)
    SELECT count(*)::int AS changes FROM taken`;
  await client.$executeRaw`
    DELETE FROM runs.stored_total WHERE vault_id = ANY(ARRAY(
      SELECT vault_id FROM runs.stored_total WHERE bytes = 0 LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`;
  return row?.changes ?? 0;
}
