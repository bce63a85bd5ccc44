import type { Restriction } from '@millrace/contracts/billing/restriction';
import type { Database } from '@millrace/persistence/database';

/** Runs stopped in one transaction. */
const MOST = 100;

export interface RestrictedRun {
  id: bigint;
  reason: Restriction;
}

/**
 * Runs that go on although their vault wants them stopped. Looked for again and again and not when the word comes: a run
 * may have been begun by a transaction that saw none of it.
 */
export const findRestricted = ({ client }: Database): Promise<RestrictedRun[]> =>
  client.$queryRaw<RestrictedRun[]>`
    SELECT r.id, v.reason FROM runs.vault_restriction v JOIN runs.run r ON r.vault_id = v.vault_id
    WHERE v.reason IS NOT NULL AND v.stop_running AND r.finished_at IS NULL AND r.status <> 'STOPPING'
    ORDER BY r.id LIMIT ${MOST}::int`;
