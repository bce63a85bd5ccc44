import { z } from 'zod';
import { event } from '../kit/event.js';

export const TRIGGER_ACTIONS = [
  'hook.created',
  'hook.token_rotated',
  'hook.changed',
  'hook.deleted',
  'schedule.created',
  'schedule.changed',
  'schedule.deleted',
] as const;

/** A user changed a hook or a schedule, which start a workflow without a person; for the audit log. */
export const triggerChanged = event('workflows.trigger.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    action: z.enum(TRIGGER_ACTIONS),
    vault: z.uuid(),
    user: z.uuid(),
    workflow: z.uuid(),
    name: z.string().describe('Name of the workflow'),
    fields: z.array(z.string()).optional().describe('Hook settings that the request changed, without their values'),
    address: z.string().optional(),
    agent: z.string().optional(),
  }),
});
