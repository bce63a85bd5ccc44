import { z } from 'zod';
import { requires } from '../kit/access.js';
import { idParams } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

const follow = z.object({ workflow: z.string(), following: z.boolean() }).meta({ id: 'Follow' });

export const getFollow = operation('notifications.follows.get', {
  method: 'GET',
  path: '/workflows/{id}/follow',
  summary: 'Whether the caller is told how the runs that others start of a workflow end',
  access: requires('space.see'),
  params: idParams,
  response: follow,
});

export const setFollow = operation('notifications.follows.set', {
  method: 'PUT',
  path: '/workflows/{id}/follow',
  summary: 'Be told how the runs that others start of a workflow end',
  description: 'The own runs are told of anyway. Whoever may no longer see the workflow follows it no more.',
  access: requires('space.see'),
  params: idParams,
  response: follow,
});

export const unsetFollow = operation('notifications.follows.unset', {
  method: 'DELETE',
  path: '/workflows/{id}/follow',
  summary: 'Be told of the own runs of a workflow alone',
  access: requires('space.see'),
  params: idParams,
  response: follow,
});
