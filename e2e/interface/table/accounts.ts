import { USUAL, type Row } from '../row.js';

const LOGIN_ERRORS = [400, 500];

/** Authentication operations, roles and teams. */
export const ACCOUNTS = {
  'POST /auth/device/token': {
    body: {
      grant_type: 'enum urn:ietf:params:oauth:grant-type:device_code, req',
      device_code: 'string, req',
      client_id: 'enum svc-cli, req',
    },
    status: 200,
    answer: {
      access_token: 'string, req',
      refresh_token: 'string',
      token_type: 'enum Bearer, req',
      is_google: 'boolean, req',
    },
    errors: LOGIN_ERRORS,
    isPublic: true,
  },
  'POST /auth/login': {
    body: { email: 'string, req', password: 'string, req', mfa_code: 'object' },
    status: 200,
    answer: { access: 'string, req', refresh: 'string, req', user: 'object, req', expiresAt: 'string, req' },
    errors: LOGIN_ERRORS,
    isPublic: true,
  },
  // The document has it among those that want the header, yet a session to be refreshed may have expired, and an expired
  // token gives 401: its refresh token stands for it.
  'POST /auth/token-refresh': { isPublic: true },
  'POST /users/me/token/regenerate': {},
  'GET /rbac/vault/roles': {},
  'GET /rbac/spaces/{spaceId}/roles': { path: { spaceId: 'any' } },
  'GET /teams/{id}': {
    path: { id: 'number' },
    status: 200,
    answer: {
      id: 'string, req',
      name: 'string, req',
      description: 'string, req',
      vault_id: 'string',
      vault: 'string',
      members: 'array of object',
      created_date: 'string, req',
      modified_date: 'string',
    },
    errors: USUAL,
  },
} as const satisfies Record<string, Row>;
