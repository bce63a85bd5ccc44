import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { idOf, success, timestamp } from '../../kit/fields.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { operation } from '../../kit/operation.js';
import { email } from '../credentials.js';

export const admin = z
  .object({
    id: z.string().describe('Id of the user'),
    email: z.string(),
    name: z.string(),
    mfa_enabled: z.boolean().describe('Whether the account has a second factor, which every administrator should have'),
    granted_by: z
      .string()
      .optional()
      .describe('Email of the administrator who granted the role; absent if a command did'),
    granted_date: timestamp,
  })
  .meta({ id: 'Admin' });

export const listAdmins = operation('auth.admins.list', {
  method: 'GET',
  path: '/admin/admins',
  summary: 'List the administrators of the installation',
  description: 'Includes administrators of all vaults. `search` looks in emails and names.',
  access: instanceAdmin,
  query: listQuery(['granted_date'], { ordering: 'granted_date', filters: {} }),
  response: pageOf(admin),
  list: 'nullable-links',
});

export const grantAdmin = operation('auth.admins.grant', {
  method: 'POST',
  path: '/admin/admins',
  summary: 'Make a user an administrator of the installation',
  description:
    'The user must have an account already, so that nobody gets the role by signing up with an address. Requires a sign-in ' +
    'with email and password within the last 15 minutes, and no token is accepted. If the user is an administrator ' +
    'already, nothing changes.',
  access: instanceAdmin,
  body: z.strictObject({ email: email.describe('Email address of an existing account') }),
  response: admin,
  status: 201,
  errors: ['not_found'],
  sessionOnly: true,
});

export const revokeAdmin = operation('auth.admins.revoke', {
  method: 'DELETE',
  path: '/admin/admins/{id}',
  summary: "Revoke a user's role as an administrator",
  description:
    "The user's admin tokens end as well, everywhere within one second. The last administrator cannot be revoked here, only by " +
    '`npm run admin` on the server. Requires a sign-in with email and password within the last 15 minutes, and no token ' +
    'is accepted.',
  access: instanceAdmin,
  params: idOf('user'),
  response: success,
  sessionOnly: true,
});
