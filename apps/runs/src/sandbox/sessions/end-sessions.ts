import type { Transaction } from '@millrace/persistence/database';

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
