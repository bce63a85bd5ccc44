import { createRecord, callApi } from '../../support/call-api.js';
import type { SANDBOX } from '../table/sandbox.js';
import type { Example } from '../world.js';

export const SANDBOX_EXAMPLES: Record<keyof typeof SANDBOX, Example> = {
  'GET /sandbox/status': async ({ owner, vault, space }) => {
    const workflowId = await createRecord(owner, `POST /spaces/${space}/workflows`, { name: 'Without a sandbox' });
    return { query: { vaultId: vault, workflowId }, expected: { success: true, status: 'none' } };
  },
  'DELETE /sandbox/session': async ({ owner, vault }) => {
    const agentSessionId = 'named in all ways';
    const { sessionId } = await callApi(owner, 'POST /sandbox/session', { vaultId: vault, agentSessionId });
    return { query: { vaultId: vault, sessionId: String(sessionId), agentSessionId }, expected: { success: true } };
  },
};
