import type { z } from 'zod';
import type { sandboxEntry, sandboxSession, SandboxStatus } from '@millrace/contracts/runs/sandbox';
import type { SandboxEntry, SandboxSession } from '@millrace/persistence/generated/client';
import { isOpen } from './session-transitions.js';

/** The API record of a session; null means that there is none. */
export function toSession(session: SandboxSession | null): z.input<typeof sandboxSession> {
  if (!session) return { success: true, status: 'none' };
  const { workflowId, agentSession, reason } = session;
  return {
    success: true,
    status: session.status as SandboxStatus,
    sessionId: session.id,
    ...(workflowId !== null && { workflowId }),
    ...(agentSession !== null && { agentSessionId: agentSession }),
    startedAt: session.startedAt.toISOString(),
    lastActiveAt: session.lastActiveAt.toISOString(),
    ...(isOpen(session) && { expiresAt: session.expiresAt.toISOString() }),
    ...(reason !== null && { reason }),
  };
}

export const toEntry = (entry: SandboxEntry): z.input<typeof sandboxEntry> => ({
  path: entry.path,
  type: entry.kind as 'file' | 'folder' | 'link',
  size: entry.size,
  executable: entry.executable,
  ...(entry.target !== null && { target: entry.target }),
  modifiedAt: entry.modifiedAt.toISOString(),
});
