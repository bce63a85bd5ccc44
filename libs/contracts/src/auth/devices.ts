import { z } from 'zod';
import { publicAccess, anyUser } from '../kit/access.js';
import { timestamp } from '../kit/fields.js';
import { operation } from '../kit/operation.js';

const clientId = z.enum(['svc-cli']);

/** As shown, `BCDF-GHJK`; case, spaces and the hyphen do not matter. */
const userCode = z.string().min(1).max(32);

export const requestDeviceCode = operation('auth.devices.requestCode', {
  method: 'POST',
  path: '/auth/device/code',
  summary: 'Begin a device grant (RFC 8628): the client shows the user code and polls with the device code',
  access: publicAccess,
  body: z.strictObject({ client_id: clientId }),
  response: z.object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.number().int().describe('Seconds'),
    interval: z.number().int().describe('Seconds to leave between two polls'),
  }),
  errors: ['rate_limited'],
  secret: true,
});

export const describeDevice = operation('auth.devices.describe', {
  method: 'GET',
  path: '/auth/device',
  summary: 'What asks behind a user code, to be shown before it is approved',
  access: anyUser,
  query: z.strictObject({ user_code: userCode }),
  response: z.object({
    client_id: clientId,
    address: z.string().optional().describe('Network address of the client that asks'),
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
  summary: 'Let the client behind a user code in as the caller, or send it away',
  access: anyUser,
  body: z.strictObject({ user_code: userCode, approve: z.boolean().default(true).describe('false denies') }),
  response: z.object({ success: z.boolean(), status: z.enum(['approved', 'denied']) }),
  errors: ['not_found', 'rate_limited'],
  sessionOnly: true,
});

export const deviceToken = operation('auth.devices.token', {
  method: 'POST',
  path: '/auth/device/token',
  summary: 'Poll a device grant; gives credentials once, after the user approved',
  access: publicAccess,
  body: z.object({
    grant_type: z.enum(['urn:ietf:params:oauth:grant-type:device_code']),
    device_code: z.string().min(1).max(512),
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
