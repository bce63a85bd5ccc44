import { z } from 'zod';
import { publicAccess, anyUser } from '../kit/access.js';
import { SECRET, timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

const clientId = z.enum(['svc-cli']).describe('Client that signs in');

/** As displayed, such as `BCDF-GHJK`; case, spaces and hyphen are ignored. */
const userCode = z
  .string()
  .min(1)
  .max(32)
  .describe('Code that the device shows, such as `BCDF-GHJK`; case, spaces and hyphens are ignored');

export const requestDeviceCode = operation('auth.devices.requestCode', {
  method: 'POST',
  path: '/auth/device/code',
  summary: 'Start a device grant (RFC 8628)',
  description: 'The client shows `user_code` to the user, then polls `POST /auth/device/token` with `device_code`.',
  access: publicAccess,
  body: z.strictObject({ client_id: clientId }),
  response: z.object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.number().int().describe('Seconds'),
    interval: z.number().int().describe('Minimum number of seconds between two polls'),
  }),
  errors: ['rate_limited'],
  secret: true,
});

export const describeDevice = operation('auth.devices.describe', {
  method: 'GET',
  path: '/auth/device',
  summary: 'Describe the client behind a user code',
  description: 'Shows who asks for access, so that the user can decide whether to approve it.',
  access: anyUser,
  query: z.strictObject({ user_code: userCode }),
  response: z.object({
    client_id: clientId,
    address: z.string().optional().describe('Network address of the requesting client'),
    agent: z.string().optional(),
    created_date: timestamp,
    expires_date: timestamp,
  }),
  errors: ['not_found', 'rate_limited'],
  sessionOnly: true,
});

export const approveDevice = operation('auth.devices.approve', {
  method: 'POST',
  path: '/auth/device/approve',
  summary: 'Approve or deny a device grant',
  description: 'Approval signs the client in as the caller.',
  access: anyUser,
  body: z.strictObject({
    user_code: userCode,
    approve: z.boolean().default(true).describe('`false` denies the grant'),
  }),
  response: z.object({ success: z.boolean(), status: z.enum(['approved', 'denied']) }),
  errors: ['not_found', 'rate_limited'],
  sessionOnly: true,
});

export const deviceToken = operation('auth.devices.token', {
  method: 'POST',
  path: '/auth/device/token',
  summary: 'Poll a device grant for its tokens',
  description: 'Returns the tokens once, after the user has approved the grant.',
  access: publicAccess,
  body: z.object({
    grant_type: z.enum(['urn:ietf:params:oauth:grant-type:device_code']).describe('Type of the grant (RFC 8628)'),
    device_code: z.string().min(1).max(512).describe('`device_code` of `POST /auth/device/code`').meta(SECRET),
    client_id: clientId,
  }),
  response: z.object({
    access_token: z.string(),
    refresh_token: z.string().optional(),
    token_type: z.enum(['Bearer']),
    is_google: z.boolean(),
  }),
  errors: ['authorization_pending', 'slow_down', 'expired_token', 'access_denied'],
  secret: true,
});
