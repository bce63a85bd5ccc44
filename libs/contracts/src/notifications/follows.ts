import { z } from 'zod';
import { requires } from '../kit/access.js';
import { idOf } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

const follow = z.object({ workflow: z.string(), following: z.boolean() }).meta({ id: 'Follow' });

export const getFollow = operation('notifications.follows.get', {
  method: 'GET',
  path: '/workflows/{id}/follow',
  summary: 'Check whether you follow a workflow',
  description: 'Says only whether you follow it yourself. You are notified of your own runs in any case.',
  access: requires('space.see'),
  params: idOf('workflow'),
  response: follow,
});

export const setFollow = operation('notifications.follows.set', {
  method: 'PUT',
  path: '/workflows/{id}/follow',
  summary: 'Follow a workflow',
  description:
    'You are notified when a run that another user started ends. You are notified of your own runs in any case. ' +
    'Losing access to the workflow ends the subscription.',
  access: requires('space.see'),
  params: idOf('workflow'),
  response: follow,
});

export const unsetFollow = operation('notifications.follows.unset', {
  method: 'DELETE',
  path: '/workflows/{id}/follow',
  summary: 'Stop following a workflow',
  description: 'You are still notified of your own runs.',
  access: requires('space.see'),
  params: idOf('workflow'),
  response: follow,
});
