import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signup } from '@millrace/contracts/auth/sessions';
import { getSignInMethods } from '@millrace/contracts/auth/sign-in-methods';
import { getVault } from '@millrace/contracts/auth/vaults';
import { subjectOf } from '@millrace/contracts/kit/operation';
import { prepareVault } from '@millrace/contracts/workflows/vaults';
import { claimsOf, PASSWORD, signIn, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

const request = (email: string, password = PASSWORD) => ({ body: { email, password, name: 'Ada' } });

describe('signing up', () => {
  it('creates a user with a vault of their own on the enterprise plan, and signs in', async () => {
    const { access, user, caller } = await signUp(system, 'ada@example.org');
    expect(user).toMatchObject({ email: 'ada@example.org', name: 'Ada', vault_role: 'owner', is_google: false });
    expect(claimsOf(access)).toMatchObject({ sub: user.id, vault: user.vault });
    expect(caller).toMatchObject({ user: user.id, vault: user.vault, vaultRole: 'owner', spaces: 'all' });
    await expect(system.callAs(caller, getVault)).resolves.toMatchObject({
      id: user.vault,
      name: "Ada's vault",
      plan: 'enterprise',
      role: 'owner',
    });
  });

  it('publishes the new vault', async () => {
    const { user } = await signUp(system, 'published@example.org');
    const published = await system.database.query<{ payload: unknown }>(
      `SELECT payload FROM messaging.outbox WHERE name = 'auth.vault.created' AND payload->>'owner' = $1`,
      [user.id],
    );
    expect(published).toEqual([
      { payload: { vault: user.vault, owner: user.id, name: "Ada's vault", plan: 'enterprise' } },
    ]);
  });

  it('is refused for the email of another account in any case, and stores nothing', async () => {
    await signUp(system, 'once@example.org');
    const before = await counts();
    await expect(system.callAs(null, signup, request(' Once@Example.ORG'))).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.email': expect.any(String) },
    });
    expect(await counts()).toEqual(before);
  });

  it('creates one account for ten concurrent requests with the same email', async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, () => system.callAs(null, signup, request('race@example.org'))),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const users = await system.database.query(`SELECT id FROM auth."user" WHERE email = 'race@example.org'`);
    expect(users).toHaveLength(1);
  });

  it('returns the first response to a repeated request', async () => {
    const requestSignup = () =>
      system.callAs(null, signup, request('twice@example.org'), { idempotencyKey: 'sign me up' });
    const first = await requestSignup();
    expect(await requestSignup()).toEqual(first);
  });

  it('rejects a password that is easily guessed', async () => {
    await expect(system.callAs(null, signup, request('weak@example.org', 'password123'))).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.password': expect.any(String) },
    });
  });

  it('stores no password or token in clear', async () => {
    const { access, refresh } = await signUp(system, 'secret@example.org');
    const rows = await system.database.query<{ row: string }>(`
      SELECT u::text AS row FROM auth."user" u UNION ALL SELECT s::text FROM auth.session s
      UNION ALL SELECT r::text FROM messaging.idempotent_request r UNION ALL SELECT o::text FROM messaging.outbox o
      UNION ALL SELECT k.public_key || encode(k.private_key, 'escape') FROM auth.signing_key k`);
    const all = rows.map(({ row }) => row).join('\n');
    for (const secret of [PASSWORD, access, refresh, 'BEGIN PRIVATE KEY']) expect(all).not.toContain(secret);
    expect(all).toContain('argon2id');
  });

  it('waits until the workflows service has prepared the vault', async () => {
    const workflows = await system.sourceOf('workflows');
    const requests: unknown[] = [];
    workflows.broker.connection.subscribe(subjectOf(prepareVault), {
      callback: (_, message) => {
        const { id, data } = message.json<{ id: string; data: { body: unknown } }>();
        requests.push(data.body);
        message.respond(JSON.stringify({ id, response: {}, isDisposed: true }));
      },
    });
    await workflows.broker.connection.flush();
    const { user } = await signUp(system, 'prepared@example.org');
    expect(requests).toEqual([{ vault: user.vault, owner: user.id, name: "Ada's vault" }]);
    await workflows.close();
  });
});

describe('closed sign-up', () => {
  let closed: System;
  beforeAll(async () => {
    closed = await startApps([start], { SIGNUP: 'closed', GOOGLE_CLIENT_ID: 'id', ...system.database.logins });
  });
  afterAll(() => closed.close());

  it('is refused, but existing users can still sign in', async () => {
    const { email } = await signUp(system, 'early@example.org');
    await expect(closed.callAs(null, signup, request('late@example.org'))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(signIn(closed, email)).resolves.toMatchObject({ user: { email } });
  });

  it('is reported before the sign-in, and so is Google', async () => {
    expect(await system.callAs(null, getSignInMethods)).toEqual({ signup: 'open', google: false });
    expect(await closed.callAs(null, getSignInMethods)).toEqual({ signup: 'closed', google: true });
  });
});

async function counts(): Promise<unknown> {
  return system.database.query(`
    SELECT (SELECT count(*) FROM auth.vault) AS vaults, (SELECT count(*) FROM auth."user") AS users,
      (SELECT count(*) FROM auth.session) AS sessions, (SELECT count(*) FROM messaging.outbox) AS events`);
}
