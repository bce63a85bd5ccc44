import { z } from 'zod';
import { requires } from '../kit/access.js';
import { timestampInput, timestamp } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { RUN_ACTIONS } from '../runs/control.js';
import { TRIGGER_ACTIONS } from '../workflows/triggers.js';

/** Recorded actions, named `<object>.<past participle>`. */
export const AUDIT_ACTIONS = [
  'user.signed_up',
  'user.joined',
  'user.removed',
  'user.left',
  'user.disabled',
  'user.enabled',
  'session.started',
  'session.ended',
  'session.reuse_detected',
  'device.approved',
  'device.denied',
  'mfa.enabled',
  'mfa.disabled',
  'mfa.recovery_code_used',
  'password.changed',
  'password.reset',
  'api_token.regenerated',
  'invitation.created',
  'invitation.revoked',
  'vault_role.assigned',
  'vault_role.removed',
  'space_role.assigned',
  'space_role.removed',
  'team.created',
  'team.updated',
  'team.deleted',
  'team.member_added',
  'team.member_removed',
  'space.created',
  'space.deleted',
  'secret_variable.created',
  'secret_variable.changed',
  'secret_variable.deleted',
  'payment_method.added',
  'payment_method.made_default',
  'payment_method.removed',
  'plan.changed',
  'budget.changed',
  'retention.changed',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'approval.approved',
  'approval.rejected',
  'approval.expired',
  ...RUN_ACTIONS,
  'cache.cleared',
  ...TRIGGER_ACTIONS,
] as const;

export const auditEntry = z
  .object({
    id: z.string(),
    action: z.enum(AUDIT_ACTIONS),
    actor: z.object({ id: z.string(), email: z.string().describe('At the time of the action') }).optional(),
    target_type: z.string().optional(),
    target_id: z.string().optional(),
    target_name: z.string().optional().describe('At the time of the action'),
    details: z.record(z.string(), z.unknown()),
    address: z.string().optional(),
    agent: z
      .string()
      .optional()
      .describe('User-Agent of the request; `millrace-mcp (<name> <version>)` names a client of the MCP server'),
    created_date: timestamp,
  })
  .meta({ id: 'AuditEntry' });

export const listAuditLog = operation('auth.audit.list', {
  method: 'GET',
  path: '/vault/audit-log',
  summary: 'List the audit log of the vault',
  description:
    'Each entry names an action, the user who performed it, and its target. Entries are never changed. They are deleted ' +
    'only if the installation limits their age.',
  access: requires('vault.administer'),
  query: listQuery(['created_date'], {
    ordering: '-created_date',
    filters: {
      action: z.enum(AUDIT_ACTIONS).optional().describe('Include only entries with this action'),
      actor: z.uuid().optional().describe('Include only entries of the user with this id'),
      from: timestampInput.optional().describe('Include entries from this time on'),
      to: timestampInput.optional().describe('Include only entries before this time'),
    },
  }),
  response: pageOf(auditEntry),
  list: 'nullable-links',
});
