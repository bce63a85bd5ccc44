import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { invite } from '../../support/invite.js';
import { make, setUp } from '../../support/set-up.js';
import type { ACCOUNTS } from '../table/accounts.js';
import type { Example } from '../world.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const aToken = expect.stringMatching(/./) as unknown;

export const ACCOUNT_EXAMPLES: Record<keyof typeof ACCOUNTS, Example> = {
  'POST /auth/device/token': async ({ owner }) => {
    const { device_code, user_code } = await setUp(owner, 'POST /auth/device/code', { client_id: 'svc-cli' });
    await setUp(owner, 'POST /auth/device/approve', { user_code });
    return { body: { grant_type: DEVICE_GRANT, device_code, client_id: 'svc-cli' }, says: { is_google: false } };
  },
  'POST /auth/login': ({ owner }) => ({
    body: { email: owner.email, password: owner.password },
    says: { user: { id: owner.user } },
  }),
  'POST /auth/token-refresh': async ({ owner: { email, password }, owner }) => {
    const { refresh } = await setUp(owner, 'POST /auth/login', { email, password });
    return { body: { refresh }, says: { access: aToken, refresh: aToken, expiresAt: aToken } };
  },
  'POST /users/me/token/regenerate': async ({ owner }) => ({
    as: await invite(owner),
    says: { token: expect.stringMatching(/^[^.]+$/) },
  }),
  'GET /rbac/vault/roles': () => ({ says: { effective: 'owner', results: [{ role: 'owner', source: 'direct' }] } }),
  'GET /rbac/spaces/{spaceId}/roles': ({ space }) => ({ path: { spaceId: space }, says: { effective: 'owner' } }),
  'GET /teams/{id}': async ({ owner, guest }) => {
    const about = { name: randomUUID(), description: 'Who defends' };
    const id = await make(owner, 'POST /teams', about);
    await setUp(owner, `PUT /teams/${id}/members/${guest.user}`);
    return { path: { id }, says: { id, ...about, members: [{}] } };
  },
};
