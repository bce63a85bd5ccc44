import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { idOf, text, timestamp } from '../../kit/fields.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { operation } from '../../kit/operation.js';
import { VAULT_ROLES } from '../../kit/permissions.js';

export const reason = text(500, 1).describe('Why, for the audit log: 1 to 500 characters');

export const adminUser = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    vault: z
      .object({ id: z.string(), name: z.string(), role: z.enum(VAULT_ROLES) })
      .describe('A user belongs to one vault'),
    state: z
      .enum(['active', 'disabled', 'suspended'])
      .describe('`disabled` by an owner of the vault, `suspended` by an administrator of the installation'),
    instance_role: z.enum(['admin']).optional(),
    is_google: z.boolean(),
    mfa_enabled: z.boolean(),
    has_api_token: z.boolean(),
    active_sessions: z.number().int(),
    last_sign_in_date: timestamp.optional().describe('Start of the newest session of the last months'),
    suspended_date: timestamp.optional(),
    suspended_reason: z.string().optional(),
    created_date: timestamp,
  })
  .meta({ id: 'AdminUser' });

export const USER_STATES = ['active', 'disabled', 'suspended'] as const;

export const listAdminUsers = operation('auth.adminUsers.list', {
  method: 'GET',
  path: '/admin/users',
  summary: 'List the users of all vaults',
  description: '`search` looks in emails and names.',
  access: instanceAdmin,
  query: listQuery(['created_date', 'email'], {
    ordering: '-created_date',
    filters: {
      vault: z.uuid().optional().describe('Return only users of the vault with this id'),
      state: z.enum(USER_STATES).optional().describe('Return only users in this state'),
    },
  }),
  response: pageOf(adminUser),
  list: 'nullable-links',
});

export const getAdminUser = operation('auth.adminUsers.get', {
  method: 'GET',
  path: '/admin/users/{id}',
  summary: 'Get a user of any vault',
  description: 'Shows the vault, the state and the newest sign-in, and no credential.',
  access: instanceAdmin,
  params: idOf('user'),
  response: adminUser,
});

export const suspendUser = operation('auth.adminUsers.suspend', {
  method: 'POST',
  path: '/admin/users/{id}/suspend',
  summary: 'Suspend a user',
  description:
    'Ends all sessions and tokens of the user, everywhere within one second. The user cannot sign in, and their schedules and ' +
    'hooks start no runs, until an administrator resumes them; an owner of the vault cannot. Runs that are under way ' +
    'continue. You cannot suspend yourself. If the user is suspended already, nothing changes.',
  access: instanceAdmin,
  params: idOf('user'),
  body: z.strictObject({ reason }),
  response: adminUser,
});

export const resumeUser = operation('auth.adminUsers.resume', {
  method: 'POST',
  path: '/admin/users/{id}/resume',
  summary: 'Let a suspended user sign in again',
  description:
    'Sessions and tokens from before stay invalid. A user whom an owner of the vault had disabled before stays disabled. If the user ' +
    'is not suspended, nothing changes.',
  access: instanceAdmin,
  params: idOf('user'),
  response: adminUser,
});

export const resetSignIn = operation('auth.adminUsers.resetSignIn', {
  method: 'POST',
  path: '/admin/users/{id}/reset-sign-in',
  summary: "Clear a user's failed attempts to sign in",
  description:
    'Ends the lockout after too many wrong passwords or second factors of this account. The limit of an address, which an ' +
    'attacker may share, stays. The password and the second factor do not change.',
  access: instanceAdmin,
  params: idOf('user'),
  response: z.object({
    success: z.boolean(),
    cleared: z.number().int().describe('Number of attempts that were cleared'),
  }),
});
