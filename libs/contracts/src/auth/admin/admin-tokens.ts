import { z } from 'zod';
import { instanceAdmin } from '../../kit/access.js';
import { idOf, name, success, timestamp } from '../../kit/fields.js';
import { listQuery, pageOf } from '../../kit/list.js';
import { operation } from '../../kit/operation.js';

/** Long enough for a quarter, so that a forgotten token does not last for ever. */
export const MAX_ADMIN_TOKEN_DAYS = 90;

export const ADMIN_TOKEN_SCOPES = ['read', 'write'] as const;

export const adminToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(ADMIN_TOKEN_SCOPES),
    prefix: z.string().describe('First characters of the token'),
    created_date: timestamp,
    expires_date: timestamp,
  })
  .meta({ id: 'AdminToken' });

export const listAdminTokens = operation('auth.adminTokens.list', {
  method: 'GET',
  path: '/admin/tokens',
  summary: 'List your admin tokens',
  description: 'Only tokens that have not expired, without the tokens themselves. `search` looks in names.',
  access: instanceAdmin,
  query: listQuery(['created_date', 'expires_date'], { ordering: '-created_date', filters: {} }),
  response: pageOf(adminToken),
  list: 'nullable-links',
});

export const createAdminToken = operation('auth.adminTokens.create', {
  method: 'POST',
  path: '/admin/tokens',
  summary: 'Create an admin token for a script',
  description:
    'The token works for operations below `/admin` only, and ends with your role. With the scope `read` it only reads. It ' +
    'is shown once. Requires a sign-in with email and password within the last 15 minutes, and no token is accepted.',
  access: instanceAdmin,
  body: z.strictObject({
    name,
    scope: z.enum(ADMIN_TOKEN_SCOPES).default('read').describe('Whether the token may also change something (`write`)'),
    days: z
      .number()
      .int()
      .min(1)
      .max(MAX_ADMIN_TOKEN_DAYS)
      .default(30)
      .describe(`Days until the token expires, 1 to ${MAX_ADMIN_TOKEN_DAYS}`),
  }),
  response: adminToken.extend({ token: z.string().describe('The token, which is not shown again') }),
  status: 201,
  secret: true,
  sessionOnly: true,
});

export const revokeAdminToken = operation('auth.adminTokens.revoke', {
  method: 'DELETE',
  path: '/admin/tokens/{id}',
  summary: 'Revoke one of your admin tokens',
  description: 'The token becomes invalid everywhere within one second.',
  access: instanceAdmin,
  params: idOf('admin token'),
  response: success,
});
