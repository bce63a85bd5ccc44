import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createRecord, callApi } from '../../support/call-api.js';
import { invite } from '../../support/invite.js';
import type { ACCOUNTS } from '../table/accounts.js';
import type { Example } from '../world.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const anyToken = expect.stringMatching(/./) as unknown;

export const ACCOUNT_EXAMPLES: Record<keyof typeof ACCOUNTS, Example> = {
  'POST /auth/device/token': async ({ owner }) => {
    const { device_code, user_code } = await callApi(owner, 'POST /auth/device/code', { client_id: 'svc-cli' });
    await callApi(owner, 'POST /auth/device/approve', { user_code });
    return { body: { grant_type: DEVICE_GRANT, device_code, client_id: 'svc-cli' }, expected: { is_google: false } };
  },
  'POST /auth/login': ({ owner }) => ({
    body: { email: owner.email, password: owner.password },
    expected: { user: { id: owner.user } },
  }),
  'POST /auth/token-refresh': async ({ owner: { email, password }, owner }) => {
    const { refresh } = await callApi(owner, 'POST /auth/login', { email, password });
    return { body: { refresh }, expected: { access: anyToken, refresh: anyToken, expiresAt: anyToken } };
  },
  'POST /users/me/token/regenerate': async ({ owner }) => ({
    as: await invite(owner),
    expected: { token: expect.stringMatching(/^[^.]+$/) },
  }),
  'GET /rbac/vault/roles': () => ({ expected: { effective: 'owner', results: [{ role: 'owner', source: 'direct' }] } }),
  'GET /rbac/spaces/{spaceId}/roles': ({ space }) => ({ path: { spaceId: space }, expected: { effective: 'owner' } }),
  'GET /teams/{id}': async ({ owner, guest }) => {
    const about = { name: randomUUID(), description: 'Who defends' };
    const id = await createRecord(owner, 'POST /teams', about);
    await callApi(owner, `PUT /teams/${id}/members/${guest.user}`);
    return { path: { id }, expected: { id, ...about, members: [{}] } };
  },
};
