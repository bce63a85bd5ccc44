import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { claimsOf, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

describe('an access token', () => {
  it('is signed with ES256 by a published key, and expires after 15 minutes', async () => {
    const { access, expiresAt, user } = await signUp(system);
    const [head = '', payload = '', signature = ''] = access.split('.');
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string; kid: string };
    const { keys } = await system.callAs(null, listSigningKeys);
    const key = keys.find(({ kid }) => kid === header.kid);
    expect(header.alg).toBe('ES256');
    expect(
      verify(
        'sha256',
        Buffer.from(`${head}.${payload}`),
        { key: createPublicKey(String(key?.publicKey)), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    ).toBe(true);
    const claims = claimsOf(access);
    expect(claims).toMatchObject({ sub: user.id, vault: user.vault, iss: 'millrace' });
    expect(claims.exp - claims.iat).toBe(15 * 60);
    expect(new Date(expiresAt).getTime()).toBe(claims.exp * 1000);
  });
});
