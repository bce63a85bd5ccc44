import { z } from 'zod';
import { anyUser, requires } from '../kit/access.js';
import { event } from '../kit/event.js';
import { numericString, timestamp, idOf } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { VAULT_ROLES } from '../kit/permissions.js';

/** A user as other members of the vault see them. */
export const member = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    vault_role: z.enum(VAULT_ROLES).describe('Role assigned directly'),
    effective_role: z.enum(VAULT_ROLES).describe('Role including those from teams'),
    teams: z.array(z.object({ id: numericString, name: z.string() })),
    is_google: z.boolean(),
    mfa_enabled: z.boolean(),
    disabled: z.boolean(),
    created_date: timestamp,
  })
  .meta({ id: 'Member' });

export const listMembers = operation('auth.members.list', {
  method: 'GET',
  path: '/vault/users',
  summary: 'List users of the vault',
  description:
    'Includes disabled users, and for each user the teams and the effective vault role. `search` looks in names ' +
    'and emails.',
  access: requires('vault.organize'),
  query: listQuery(['name', 'email', 'created_date'], { ordering: '-created_date', filters: {} }),
  response: pageOf(member),
  list: 'nullable-links',
});

export const updateMember = operation('auth.members.update', {
  method: 'PATCH',
  path: '/vault/users/{id}',
  summary: 'Disable or enable a user',
  description: "Disabling ends the user's sessions and API token immediately.",
  access: requires('vault.administer'),
  params: idOf('user'),
  body: z.strictObject({
    disabled: z.boolean().optional().describe('`true` disables the user, `false` enables them again'),
  }),
  response: member,
});

export const removeMember = operation('auth.members.remove', {
  method: 'DELETE',
  path: '/vault/users/{id}',
  summary: 'Remove a user from the vault',
  description: 'Deletes the account. Everything that the user created remains.',
  access: requires('vault.administer'),
  params: idOf('user'),
  response: z.null(),
  status: 204,
});

export const leaveVault = operation('auth.members.leave', {
  method: 'DELETE',
  path: '/users/me',
  summary: 'Leave the vault',
  description:
    'Deletes your account. Everything that you created remains. The last owner cannot leave. The session must have ' +
    'begun within the last 15 minutes; sign in again if it is older.',
  access: anyUser,
  sessionOnly: true,
  response: z.null(),
  status: 204,
});

/** A user was removed or has left. Their id is never reused. */
export const memberLeft = event('auth.member.left', {
  version: 1,
  consumers: ['notifications'],
  payload: z.object({ vault: z.uuid(), user: z.uuid() }),
});
