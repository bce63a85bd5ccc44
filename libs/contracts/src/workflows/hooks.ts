import { z } from 'zod';
import { anybody, may } from '../kit/access.js';
import { idParams, numericString, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

const hook = z
  .object({
    prefix: z.string().describe('Beginning of its token'),
    author: z.string().describe('Whose roles its runs have'),
    created_date: timestamp,
    last_used_date: timestamp.optional(),
  })
  .meta({ id: 'Hook' });

export const getHook = operation('workflows.hooks.get', {
  method: 'GET',
  path: '/workflows/{id}/hook',
  summary: 'The webhook that starts a workflow, without its token',
  access: may('space.edit'),
  params: idParams,
  response: hook,
});

export const rotateHook = operation('workflows.hooks.rotate', {
  method: 'POST',
  path: '/workflows/{id}/hook',
  summary: 'Make the webhook that starts a workflow, or give it a new token; the old one ends at once',
  access: may('space.edit'),
  params: idParams,
  response: hook.extend({ token: z.string(), url: z.string() }).meta({ id: 'HookWithToken' }),
  status: 201,
  secret: true,
});

export const deleteHook = operation('workflows.hooks.delete', {
  method: 'DELETE',
  path: '/workflows/{id}/hook',
  summary: 'Take the webhook away; its token ends at once',
  access: may('space.edit'),
  params: idParams,
  response: z.null(),
  status: 204,
});

export const fireHook = operation('workflows.hooks.fire', {
  method: 'POST',
  path: '/hooks/{token}',
  summary: 'Start a run by its webhook; the JSON body holds the inputs',
  description:
    'Keys are ids or labels of inputs; others are passed over. Text and flags are taken as they are, anything else as its JSON. ' +
    'An input labelled `body` that the body does not name takes all of it.',
  access: anybody,
  params: z.strictObject({ token: z.string() }),
  body: z.unknown(),
  response: z.object({ run: numericString }),
  status: 202,
  errors: ['forbidden'],
});
