import type { Database } from '@millrace/persistence/database';

/** Entries per transaction. */
const BATCH_SIZE = 5_000;

/** Deletes a batch of old entries of the installation's audit log. @returns how many entries were deleted */
export const deleteAdminAudit = (database: Database, days: number): Promise<number> =>
  database.transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('auth.deleting_audit_entries', 'on', true)`;
    return tx.$executeRaw`
      DELETE FROM auth.admin_audit_entry WHERE id = ANY(ARRAY(
        SELECT id FROM auth.admin_audit_entry WHERE created_at < now() - ${days}::int * interval '1 day'
        ORDER BY created_at LIMIT ${BATCH_SIZE}::int FOR UPDATE SKIP LOCKED))`;
  });
