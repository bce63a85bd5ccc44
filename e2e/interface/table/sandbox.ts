import { USUAL, type Row } from '../row.js';

/** Sandbox sessions of workflows and agents. */
export const SANDBOX = {
  'GET /sandbox/status': {
    query: { vaultId: 'string, req', workflowId: 'string', agentSessionId: 'string' },
    status: 200,
    answer: { success: 'boolean' },
    errors: USUAL,
  },
  'DELETE /sandbox/session': {
    query: { sessionId: 'string', agentSessionId: 'string', vaultId: 'string' },
    status: 200,
    answer: { success: 'boolean' },
    errors: USUAL,
  },
} as const satisfies Record<string, Row>;
