import { RESTRICTION_MESSAGES, type StartRestriction } from '@millrace/contracts/billing/restriction';
import type { Database, Transaction } from '@millrace/persistence/database';
import { stoppingVaults } from '../../restrictions/stopping-vaults.js';

/** Ends the open ones of these sessions. Changes that a command in them makes from now on are discarded. */
export async function endSessions(
  tx: Transaction,
  sessions: readonly string[],
  status: 'stopped' | 'failed',
  reason: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE runs.sandbox_session SET status = ${status}, reason = ${reason}, exec_id = NULL
    WHERE id = ANY(${sessions}::uuid[]) AND status IN ('starting', 'running')`;
}

/** Sessions ended in one transaction. */
const MAX_SESSIONS = 100;

/**
 * Ends open sessions of vaults whose restriction or suspension stops running work. Call it repeatedly: a transaction that does not see the
 * restriction yet may start another session.
 * @returns ids of the ended sessions
 */
export async function endRestricted(database: Database): Promise<string[]> {
  const found = await database.client.$queryRaw<{ id: string; reason: StartRestriction }[]>`
    SELECT s.id::text, min(v.reason) AS reason FROM ${stoppingVaults} v
    JOIN runs.sandbox_session s ON s.vault_id = v.vault_id
    WHERE s.status IN ('starting', 'running') GROUP BY s.id LIMIT ${MAX_SESSIONS}::int`;
  if (found.length === 0) return [];
  await database.transaction(async (tx) => {
    for (const { id, reason } of found) await endSessions(tx, [id], 'stopped', RESTRICTION_MESSAGES[reason]);
  });
  return found.map(({ id }) => id);
}
