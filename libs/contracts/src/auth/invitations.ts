import { z } from 'zod';
import { publicAccess, requires } from '../kit/access.js';
import { success, timestamp, idOf } from '../kit/fields.js';
import { listQuery, pageOf } from '../kit/list.js';
import { operation } from '../kit/operation.js';
import { VAULT_ROLES } from '../kit/permissions.js';
import { email, newPassword, personName, secretToCheck, tokens } from './credentials.js';
import { user } from './users.js';

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;

export const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(VAULT_ROLES),
    status: z.enum(INVITATION_STATUSES),
    invited_by: z.string().optional().describe('Id of the inviting user'),
    created_date: timestamp,
    expires_date: timestamp,
  })
  .meta({ id: 'Invitation' });

export const listInvitations = operation('auth.invitations.list', {
  method: 'GET',
  path: '/vault/invitations',
  summary: 'List invitations to the vault',
  description:
    'Includes accepted, revoked and expired invitations; filter by `status`. The links are not part of the ' +
    'response. `search` looks in emails.',
  access: requires('vault.administer'),
  query: listQuery(['email', 'created_date'], {
    ordering: '-created_date',
    filters: { status: z.enum(INVITATION_STATUSES).optional().describe('Return only invitations with this status') },
  }),
  response: pageOf(invitation),
  list: 'nullable-links',
});

export const createInvitation = operation('auth.invitations.create', {
  method: 'POST',
  path: '/vault/invitations',
  summary: 'Invite a person by mail',
  description: 'The link is valid for seven days and replaces any earlier one for the same address.',
  access: requires('vault.administer'),
  body: z.strictObject({
    email,
    role: z
      .enum(VAULT_ROLES)
      .default('member')
      .describe('Vault role that the invited user gets; roles other than `member` need a plan with roles'),
  }),
  response: invitation,
  status: 201,
  errors: ['plan_required', 'rate_limited'],
});

export const revokeInvitation = operation('auth.invitations.revoke', {
  method: 'DELETE',
  path: '/vault/invitations/{id}',
  summary: 'Revoke an invitation',
  description:
    'Its link becomes invalid immediately. `success` is false if the invitation was accepted or revoked before.',
  access: requires('vault.administer'),
  params: idOf('invitation'),
  response: success,
});

export const describeInvitation = operation('auth.invitations.describe', {
  method: 'POST',
  path: '/auth/invitations/describe',
  summary: 'Describe an invitation by the token of its link',
  description:
    'Shows who is invited and to which vault, so that the invited person can decide. Accepts nothing. A used, ' +
    'revoked or expired invitation is 400 `expired_token`.',
  access: publicAccess,
  body: z.strictObject({ token: secretToCheck }),
  response: z.object({ email: z.string(), vault: z.string().describe('Name of the vault'), expires_date: timestamp }),
  errors: ['expired_token'],
});

export const acceptInvitation = operation('auth.invitations.accept', {
  method: 'POST',
  path: '/auth/invitations/accept',
  summary: 'Accept an invitation',
  description: 'Creates a user in the vault and signs them in.',
  access: publicAccess,
  body: z.strictObject({ token: secretToCheck, name: personName, password: newPassword }),
  response: z.object({ ...tokens, user }),
  status: 201,
  errors: ['expired_token'],
  secret: true,
});
