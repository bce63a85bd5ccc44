import { RESTRICTION_MESSAGES, type Restriction } from '@millrace/contracts/billing/restriction';
import type { Database } from '@millrace/persistence/database';
import { endSessions } from './end-sessions.js';

/** Sessions ended in one transaction. */
const MAX_SESSIONS = 100;

/**
 * Ends open sessions of vaults whose restriction stops running work. Call it repeatedly: a transaction that does not see the
 * restriction yet may start another session.
 * @returns ids of the ended sessions
 */
export async function endRestricted(database: Database): Promise<string[]> {
  const found = await database.client.$queryRaw<{ id: string; reason: Restriction }[]>`
    SELECT s.id::text, v.reason FROM runs.vault_restriction v JOIN runs.sandbox_session s ON s.vault_id = v.vault_id
    WHERE v.reason IS NOT NULL AND v.stop_running AND s.status IN ('starting', 'running') LIMIT ${MAX_SESSIONS}::int`;
  if (found.length === 0) return [];
  await database.transaction(async (tx) => {
    for (const { id, reason } of found) await endSessions(tx, [id], 'stopped', RESTRICTION_MESSAGES[reason]);
  });
  return found.map(({ id }) => id);
}
