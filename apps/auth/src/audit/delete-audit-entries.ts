import type { Database } from '@millrace/persistence/database';

/** Entries per transaction. */
const BATCH_SIZE = 5_000;

/**
 * Deletes a batch of old entries of the audit log. The database refuses every other deletion, and this one for entries that
 * are younger than 30 days.
 * @returns how many entries were deleted
 */
export const deleteAuditEntries = (database: Database, days: number): Promise<number> =>
  database.transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('auth.deleting_audit_entries', 'on', true)`;
    return tx.$executeRaw`
      DELETE FROM auth.audit_entry WHERE id = ANY(ARRAY(
        SELECT id FROM auth.audit_entry WHERE created_at < now() - ${days}::int * interval '1 day'
        ORDER BY created_at LIMIT ${BATCH_SIZE}::int FOR UPDATE SKIP LOCKED))`;
  });
