import type { Transaction } from '@millrace/persistence/database';

/** The vault of deleted runs. No caller has it, and every lookup, list and count is limited to a vault. */
const NO_VAULT = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes runs for everyone who could see them: from the commit on they are in no list, count or lookup, and nobody reuses
 * their results. `RunDeletion` deletes their rows later, in batches. Leaves out runs that have not ended, or are deleted already.
 *
 * `origin` is cleared because it is unique. A worker that still has a dispatch of the run finds it gone.
 * @returns the ids of the runs that it deleted
 */
export async function hideRuns(tx: Transaction, ids: readonly bigint[]): Promise<bigint[]> {
  if (ids.length === 0) return [];
  const rows = await tx.$queryRaw<{ id: bigint }[]>`
    WITH hidden AS (
      UPDATE runs.run SET deleted_at = now(), vault_id = ${NO_VAULT}::uuid, origin = NULL
      WHERE id = ANY(ARRAY(
        SELECT id FROM runs.run WHERE id = ANY(${ids.map(String)}::bigint[]) AND finished_at IS NOT NULL AND deleted_at IS NULL
        ORDER BY id FOR UPDATE))
      RETURNING id),
    withdrawn AS (DELETE FROM runs.dispatch d USING hidden h WHERE d.run_id = h.id)
    SELECT id FROM hidden ORDER BY id`;
  return rows.map(({ id }) => id);
}
