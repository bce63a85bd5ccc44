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

/** Somebody changed what starts a workflow without a person: its hook or its schedule. For the audit log. */
export const triggerChanged = event('workflows.trigger.changed', {
  version: 1,
  consumers: ['auth'],
  payload: z.object({
    action: z.enum(TRIGGER_ACTIONS),
    vault: z.uuid(),
    user: z.uuid(),
    workflow: z.uuid(),
    name: z.string().describe('Of the workflow'),
    fields: z.array(z.string()).optional().describe('Settings of a hook that the request set; never their values'),
    address: z.string().optional(),
  }),
});
