import { z } from 'zod';
import { publicAccess, requires } from '../kit/access.js';
import { numericString, timestamp, idOf } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { hookSettings, hookSignature } from './hook-settings.js';

const hook = z
  .object({
    prefix: z.string().describe('First characters of its token'),
    author: z.string().describe('User whose roles its runs have'),
    payload_as: z.string().optional().describe('Input that receives the whole body'),
    signature: hookSignature.optional().describe('How calls must be signed; absent if signatures are not checked'),
    created_date: timestamp,
    last_used_date: timestamp.optional(),
  })
  .meta({ id: 'Hook' });

export const getHook = operation('workflows.hooks.get', {
  method: 'GET',
  path: '/workflows/{id}/hook',
  summary: 'Get the hook that starts a workflow, without its token',
  description:
    'Shows the first characters of the token, its settings, and when it was last used. A workflow without a hook ' +
    'is 404.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  response: hook,
});

export const rotateHook = operation('workflows.hooks.rotate', {
  method: 'POST',
  path: '/workflows/{id}/hook',
  summary: 'Create the hook that starts a workflow, or replace its token',
  description: 'A previous token becomes invalid immediately. Omitted settings keep their value.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: hookSettings,
  sealed: true,
  response: hook.extend({ token: z.string(), url: z.string() }).meta({ id: 'HookWithToken' }),
  status: 201,
  secret: true,
});

export const updateHook = operation('workflows.hooks.update', {
  method: 'PATCH',
  path: '/workflows/{id}/hook',
  summary: 'Update the hook that starts a workflow',
  description:
    'Its token remains valid. Omitted settings keep their value, and null removes a setting. Its runs keep the ' +
    'roles of the user who created it.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  body: hookSettings,
  sealed: true,
  response: hook,
});

export const deleteHook = operation('workflows.hooks.delete', {
  method: 'DELETE',
  path: '/workflows/{id}/hook',
  summary: 'Delete the hook that starts a workflow',
  description: 'Its token becomes invalid immediately.',
  access: requires('space.edit'),
  params: idOf('workflow'),
  response: z.null(),
  status: 204,
});

export const fireHook = operation('workflows.hooks.fire', {
  method: 'POST',
  path: '/hooks/{token}',
  summary: 'Start a run by its hook',
  description:
    'The JSON body contains the inputs by id or label; unknown keys are rejected. Texts and flags are used as they ' +
    'are, any other value as its JSON. If the hook has `payload_as`, that input receives the whole body ' +
    'instead, with any content type. If it has a `signature`, a call without a valid one is 401. An input labelled ' +
    '`body` that the JSON body does not name receives the whole body.',
  access: publicAccess,
  params: z.strictObject({ token: z.string().describe('Token of the hook, which is the only credential') }),
  body: z.object({ payload: z.base64() }),
  transfer: 'raw',
  response: z.object({ run: numericString }),
  status: 202,
  errors: ['forbidden', 'unauthenticated', 'payload_too_large'],
});
