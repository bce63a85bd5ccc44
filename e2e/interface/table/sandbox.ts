import { USUAL_ERRORS, type Row } from '../row.js';

/** Sandbox sessions of workflows and agents. */
export const SANDBOX = {
  'GET /sandbox/status': {
    query: { vaultId: 'string, req', workflowId: 'string', agentSessionId: 'string' },
    status: 200,
    response: { success: 'boolean' },
    errors: USUAL_ERRORS,
  },
  'DELETE /sandbox/session': {
    query: { sessionId: 'string', agentSessionId: 'string', vaultId: 'string' },
    status: 200,
    response: { success: 'boolean' },
    errors: USUAL_ERRORS,
  },
} as const satisfies Record<string, Row>;
