import type { z } from 'zod';
import type { session } from '@millrace/contracts/auth/sessions';
import type { Session } from '@millrace/persistence/generated/client';

/** @param currentSession id of the session that made the request, if it was one */
export const toSession = (row: Session, currentSession: string | undefined): z.input<typeof session> => ({
  id: row.id,
  client: row.client,
  ...(row.address !== null && { address: row.address }),
  ...(row.agent !== null && { agent: row.agent }),
  current: row.id === currentSession,
  created_date: row.createdAt.toISOString(),
  last_used_date: row.lastUsedAt.toISOString(),
  expires_date: row.expiresAt.toISOString(),
});
