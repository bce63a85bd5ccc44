import { USUAL_ERRORS, type Row } from '../row.js';

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
    response: {
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
    response: { access: 'string, req', refresh: 'string, req', user: 'object, req', expiresAt: 'string, req' },
    errors: LOGIN_ERRORS,
    isPublic: true,
  },
  // The document lists it with the operations that require the header. But the session to refresh may have expired, and an
  // expired access token gives 401, so the refresh token in the body is the credential.
  'POST /auth/token-refresh': { isPublic: true },
  'POST /users/me/token/regenerate': {},
  'GET /rbac/vault/roles': {},
  'GET /rbac/spaces/{spaceId}/roles': { path: { spaceId: 'any' } },
  'GET /teams/{id}': {
    path: { id: 'number' },
    status: 200,
    response: {
      id: 'string, req',
      name: 'string, req',
      description: 'string, req',
      vault_id: 'string',
      vault: 'string',
      members: 'array of object',
      created_date: 'string, req',
      modified_date: 'string',
    },
    errors: USUAL_ERRORS,
  },
} as const satisfies Record<string, Row>;
