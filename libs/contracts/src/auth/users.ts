import { z } from 'zod';
import { anyUser } from '../kit/access.js';
import { timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';
import { VAULT_ROLES } from '../kit/permissions.js';
import { personName } from './credentials.js';

export const user = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    vault: z.string(),
    vault_role: z.enum(VAULT_ROLES),
    is_google: z.boolean(),
    mfa_enabled: z.boolean(),
    instance_role: z
      .enum(['admin'])
      .optional()
      .describe('`admin` if the user administers the installation; absent for everybody else'),
    token_prefix: z.string().optional().describe('First characters of the API token; absent if there is none'),
    created_date: timestamp,
  })
  .meta({ id: 'User' });

export const getMe = operation('auth.users.me', {
  method: 'GET',
  path: '/users/me',
  summary: 'Get the signed-in user',
  description:
    'Includes your role in the vault and the first characters of your API token. Works with a session and with ' +
    'an API token.',
  access: anyUser,
  response: user,
});

export const updateMe = operation('auth.users.updateMe', {
  method: 'PATCH',
  path: '/users/me',
  summary: 'Change your name',
  description: 'Without `name`, nothing changes. The email cannot be changed.',
  access: anyUser,
  body: z.strictObject({ name: personName.optional() }),
  response: user,
});

export const regenerateToken = operation('auth.users.regenerateToken', {
  method: 'POST',
  path: '/users/me/token/regenerate',
  summary: 'Create a new API token',
  description: 'The token is shown only once. The previous one becomes invalid everywhere within one second.',
  access: anyUser,
  response: z.object({ token: z.string(), prefix: z.string() }),
  secret: true,
});
