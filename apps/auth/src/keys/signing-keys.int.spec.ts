import { createPublicKey, verify } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getJwks } from '@millrace/contracts/auth/signing-keys';
import { Database } from '@millrace/persistence/database';
import { signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { authEnv } from '../env.js';
import { start } from '../start.js';
import { SigningKeys } from './signing-keys.js';

let system: System;
let database: Database;
const opened: SigningKeys[] = [];
beforeAll(async () => {
  system = await startApps([start, start]);
  database = new Database({ url: system.database.url, service: 'auth', connections: 4 });
});
afterEach(() => Promise.all(opened.splice(0).map((keys) => keys.onApplicationShutdown())));
afterAll(async () => {
  await database.close();
  await system.close();
});

/** The signing keys of another copy of the service. */
async function openKeys(): Promise<SigningKeys> {
  const keys = new SigningKeys(database, authEnv.parse(system.env));
  await keys.onModuleInit();
  opened.push(keys);
  return keys;
}

const age = (days: number) =>
  system.database.query(`UPDATE auth.signing_key SET created_at = created_at - $1 * interval '1 day'`, [days]);
const keyIds = async (): Promise<string[]> => {
  const sql = 'SELECT id FROM auth.signing_key ORDER BY created_at';
  return (await system.database.query<{ id: string }>(sql)).map(({ id }) => id);
};

it('two copies that start at once create one key', async () => {
  expect(await keyIds()).toHaveLength(1);
});

it('a start with another secret fails with an explanation', async () => {
  const wrong = { MILLRACE_SECRET: 'another secret of 32 characters!' };
  await expect(system.start(start, wrong)).rejects.toThrow(/MILLRACE_SECRET/);
});

describe('the JWKS', () => {
  it('verifies old and new access tokens, and contains no private key', async () => {
    const { access } = await signUp(system);
    const keys = await openKeys();
    await age(30);
    await keys.refreshCurrentKey();
    const jwks = await system.callAs(null, getJwks);
    expect(jwks.keys.map(({ kid }) => kid)).toEqual(await keyIds());
    const point = expect.stringMatching(/^[\w-]{43}$/);
    for (const key of jwks.keys) {
      const kid = expect.any(String);
      expect(key).toEqual({ kty: 'EC', crv: 'P-256', x: point, y: point, kid, use: 'sig', alg: 'ES256' });
    }
    const [head = '', payload = '', signature = ''] = access.split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    const key = createPublicKey({ key: jwks.keys.find((each) => each.kid === kid) ?? {}, format: 'jwk' });
    const signed = Buffer.from(`${head}.${payload}`);
    const decoded = Buffer.from(signature, 'base64url');
    expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, decoded)).toBe(true);
  });
});

describe('a signing key', () => {
  beforeEach(() => system.database.query('DELETE FROM auth.signing_key'));

  it('signs for 30 days, after which concurrent copies agree on the next one', async () => {
    const copies = [await openKeys(), await openKeys(), await openKeys()];
    const [first] = await keyIds();
    await age(29);
    await Promise.all(copies.map((keys) => keys.refreshCurrentKey()));
    expect(copies.map((keys) => keys.current.kid)).toEqual([first, first, first]);
    await age(1);
    await Promise.all(copies.map((keys) => keys.refreshCurrentKey()));
    const [previous, next, ...rest] = await keyIds();
    expect([previous, rest]).toEqual([first, []]);
    expect(copies.map((keys) => keys.current.kid)).toEqual([next, next, next]);
  });

  it('that one copy created is used by another after its next check', async () => {
    const [one, other] = [await openKeys(), await openKeys()];
    await age(30);
    await one.refreshCurrentKey();
    expect(other.current.kid).not.toBe(one.current.kid);
    await other.refreshCurrentKey();
    expect(other.current).toEqual(one.current);
  });

  it('is kept until its successor is 31 days old', async () => {
    const keys = await openKeys();
    await age(30);
    await keys.refreshCurrentKey();
    const [previous, latest] = (await keyIds()).slice(-2);
    await age(30.5);
    await keys.refreshCurrentKey();
    expect(await keyIds()).toEqual(expect.arrayContaining([previous, latest]));
    await age(30);
    await keys.refreshCurrentKey();
    const left = await keyIds();
    expect(left).not.toContain(previous);
    expect(left).toContain(latest);
  });
});
