import type { Transaction } from '@millrace/persistence/database';

/**
 * Moves the cached results of a workflow's runs to the current space of the runs, because only users who may see a run may
 * reuse its results. If the space already has a result for a key, that one stays.
 */
export async function moveCachedResults(tx: Transaction, workflow: string): Promise<void> {
  await tx.$executeRaw`
    WITH moved AS (
      DELETE FROM runs.cache_entry e USING runs.run r
      WHERE e.run_id = r.id AND r.workflow_id = ${workflow}::uuid AND e.space_id <> r.space_id
      RETURNING r.space_id, e.key, e.run_id, e.subjob_id, e.exit_code, e.message, e.outputs, e.stdout, e.stderr,
        e.created_at, e.last_used_at)
    INSERT INTO runs.cache_entry (space_id, key, run_id, subjob_id, exit_code, message, outputs, stdout, stderr,
      created_at, last_used_at)
    SELECT * FROM moved ORDER BY space_id, key ON CONFLICT (space_id, key) DO NOTHING`;
}
