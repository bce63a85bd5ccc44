import { z } from 'zod';
import { publicAccess, requires } from '../kit/access.js';
import { idParams, numericString, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { hookSettings, hookSignature } from './hook-settings.js';

const hook = z
  .object({
    prefix: z.string().describe('Beginning of its token'),
    author: z.string().describe('Whose roles its runs have'),
    payload_as: z.string().optional().describe('Input that takes the whole body'),
    signature: hookSignature.optional().describe('How calls are signed; calls are not checked if absent'),
    created_date: timestamp,
    last_used_date: timestamp.optional(),
  })
  .meta({ id: 'Hook' });

export const getHook = operation('workflows.hooks.get', {
  method: 'GET',
  path: '/workflows/{id}/hook',
  summary: 'The webhook that starts a workflow, without its token',
  access: requires('space.edit'),
  params: idParams,
  response: hook,
});

export const rotateHook = operation('workflows.hooks.rotate', {
  method: 'POST',
  path: '/workflows/{id}/hook',
  summary: 'Make the webhook that starts a workflow, or give it a new token; the old one ends at once',
  description: 'Settings that are left out stay as they are.',
  access: requires('space.edit'),
  params: idParams,
  body: hookSettings,
  sealed: true,
  response: hook.extend({ token: z.string(), url: z.string() }).meta({ id: 'HookWithToken' }),
  status: 201,
  secret: true,
});

export const updateHook = operation('workflows.hooks.update', {
  method: 'PATCH',
  path: '/workflows/{id}/hook',
  summary: 'Change the settings of the webhook that starts a workflow; its token stays',
  description:
    'Settings that are left out stay as they are, null removes one. Its runs still have the roles of who made it.',
  access: requires('space.edit'),
  params: idParams,
  body: hookSettings,
  sealed: true,
  response: hook,
});

export const deleteHook = operation('workflows.hooks.delete', {
  method: 'DELETE',
  path: '/workflows/{id}/hook',
  summary: 'Take the webhook away; its token ends at once',
  access: requires('space.edit'),
  params: idParams,
  response: z.null(),
  status: 204,
});

export const fireHook = operation('workflows.hooks.fire', {
  method: 'POST',
  path: '/hooks/{token}',
  summary: 'Start a run by its webhook; the JSON body holds the inputs',
  description:
    'Keys are ids or labels of inputs; unknown ones are refused. Text and flags are taken as they are, anything else as its ' +
    'JSON. If the hook has `payload_as`, that input takes the whole body instead, of any content type. If it has a ' +
    '`signature`, a call without a valid one is 401. An input labelled `body` that a JSON body does not name takes all of it.',
  access: publicAccess,
  params: z.strictObject({ token: z.string() }),
  body: z.object({ payload: z.base64() }),
  transfer: 'raw',
  response: z.object({ run: numericString }),
  status: 202,
  errors: ['forbidden', 'unauthenticated', 'payload_too_large'],
});
