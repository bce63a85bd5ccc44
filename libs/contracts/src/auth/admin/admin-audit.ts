import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { timestamp, timestampInput } from '../../kit/fields.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { operation } from '../../kit/operation.js';

/** Acts of administrators, named `<object>.<past participle>`. */
export const ADMIN_ACTIONS = [
  'admin.granted',
  'admin.revoked',
  'admin_token.created',
  'admin_token.revoked',
  'user.suspended',
  'user.resumed',
  'user.sign_in_reset',
  'vault.suspended',
  'vault.resumed',
  'vault.limits_changed',
  'dead_letters.retried',
  'dead_letters.dropped',
  'check.started',
  'reindex.started',
  'task.cancelled',
  'log_level.changed',
  'join_token.created',
  'join_token.revoked',
  'worker.joined',
  'worker.revoked',
] as const;

export const adminAuditEntry = z
  .object({
    id: z.string(),
    action: z.enum(ADMIN_ACTIONS),
    actor: z
      .object({ id: z.string(), email: z.string().describe('At the time of the act') })
      .optional()
      .describe('Absent if somebody with access to the server used `npm run admin`, or a machine a join token'),
    credential: z.enum(['session', 'token', 'command', 'join_token']).describe('What the actor used'),
    target_type: z.string().optional(),
    target_id: z.string().optional(),
    target_name: z.string().optional().describe('At the time of the act'),
    details: z.record(z.string(), z.unknown()),
    address: z.string().optional(),
    agent: z.string().optional(),
    created_date: timestamp,
  })
  .meta({ id: 'AdminAuditEntry' });

export const listAdminAudit = operation('auth.adminAudit.list', {
  method: 'GET',
  path: '/admin/audit',
  summary: 'List the audit log of the installation',
  description:
    'Contains every change that an administrator made, and no change inside a vault: those are in the audit log of the ' +
    'vault. Nobody can change an entry, and old ones are deleted after `ADMIN_AUDIT_RETENTION_DAYS`. `search` looks in ' +
    'actions, emails and names.',
  access: instanceAdmin,
  query: listQuery(['created_date'], {
    ordering: '-created_date',
    filters: {
      action: z.enum(ADMIN_ACTIONS).optional().describe('Return only entries with this action'),
      actor: z.uuid().optional().describe('Return only entries of the administrator with this id'),
      from: timestampInput.optional().describe('Return only entries since this time'),
      to: timestampInput.optional().describe('Return only entries before this time'),
    },
  }),
  response: pageOf(adminAuditEntry),
  list: 'nullable-links',
});
