import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  endOtherSessions,
  endSession,
  listSessions,
  login,
  logout,
  refreshSession,
} from '@millrace/contracts/auth/sessions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { newId } from '@millrace/persistence/ids';
import { callerOf, claimsOf, PASSWORD, signIn, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

const refreshWith = (refresh: string) => system.callAs(null, refreshSession, { body: { refresh } });
const refused = { code: 'invalid_credentials' };

/** A user with two sessions. The first session makes the requests. */
async function signedInTwice() {
  const first = await signUp(system);
  const second = await system.callAs(
    null,
    login,
    { body: { email: first.email, password: PASSWORD } },
    { address: '10.7.7.7', agent: 'Tests/1.0' },
  );
  const caller: Caller = { ...first.caller, session: claimsOf(first.access).sid };
  return { ...first, caller, second };
}

const auditEntries = async (vault: string) =>
  system.database.query(
    `SELECT action, actor_id, target_id, details FROM auth.audit_entry
     WHERE vault_id = $1 AND action = 'session.ended' ORDER BY created_at`,
    [vault],
  );

describe('the list of sessions', () => {
  it('contains the sessions of the user, latest first, and marks the current one', async () => {
    const { caller, access, second } = await signedInTwice();
    const { results, count } = await system.callAs(caller, listSessions);
    expect(count).toBe(2);
    expect(results).toMatchObject([
      { id: claimsOf(second.access).sid, client: 'web', address: '10.7.7.7', agent: 'Tests/1.0', current: false },
      { id: claimsOf(access).sid, client: 'web', address: '127.0.0.1', current: true },
    ]);
    expect(results[1]).not.toHaveProperty('agent');
    const lifetime = Date.parse(String(results[0]?.expires_date)) - Date.parse(String(results[0]?.created_date));
    expect(Math.round(lifetime / 86_400_000)).toBe(30);
  });

  it('contains neither ended or expired sessions nor sessions of other users', async () => {
    const { caller, second, refresh } = await signedInTwice();
    await signUp(system);
    await system.callAs(caller, logout, { body: { refresh } });
    const { sid } = claimsOf(second.access);
    expect((await system.callAs(caller, listSessions)).results.map(({ id }) => id)).toEqual([sid]);
    await system.database.query(`UPDATE auth.session SET expires_at = now() WHERE id = $1`, [sid]);
    expect(await system.callAs(caller, listSessions)).toMatchObject({ results: [], count: 0 });
  });

  it('can be searched, ordered and paged', async () => {
    const { caller, access, second } = await signedInTwice();
    const ids = async (query: object) =>
      (await system.callAs(caller, listSessions, { query })).results.map(({ id }) => id);
    expect(await ids({ search: 'TESTS/' })).toEqual([claimsOf(second.access).sid]);
    expect(await ids({ ordering: 'created_date', page_size: 1 })).toEqual([claimsOf(access).sid]);
    expect(await ids({ ordering: 'created_date', page_size: 1, page: 2 })).toEqual([claimsOf(second.access).sid]);
  });
});

describe('ending a session', () => {
  it('ends it with its tokens, and is recorded', async () => {
    const { caller, user, second, access } = await signedInTwice();
    const { sid } = claimsOf(second.access);
    await expect(system.callAs(caller, endSession, { params: { id: sid } })).resolves.toEqual({ success: true });
    expect(await callerOf(system, user.id, second.access)).toBeNull();
    await expect(refreshWith(second.refresh)).rejects.toMatchObject(refused);
    expect(await callerOf(system, user.id, access)).not.toBeNull();
    expect(await auditEntries(user.vault)).toEqual([
      { action: 'session.ended', actor_id: user.id, target_id: sid, details: {} },
    ]);
  });

  it('fails with not_found for one that has ended, belongs to another user, or never existed', async () => {
    const { caller, second } = await signedInTwice();
    const other = await signUp(system);
    const over = claimsOf(second.access).sid;
    await system.callAs(caller, endSession, { params: { id: over } });
    for (const id of [over, claimsOf(other.access).sid, newId(), 'nonsense', '\0']) {
      await expect(system.callAs(caller, endSession, { params: { id } })).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(refreshWith(other.refresh)).resolves.toBeDefined();
  });
});

describe('ending the other sessions', () => {
  it('keeps the current one and the sessions of other users', async () => {
    const { caller, user, access, second } = await signedInTwice();
    const other = await signUp(system);
    await expect(system.callAs(caller, endOtherSessions)).resolves.toEqual({ success: true, ended: 1 });
    expect(await callerOf(system, user.id, second.access)).toBeNull();
    expect(await callerOf(system, user.id, access)).not.toBeNull();
    expect(await callerOf(system, other.user.id, other.access)).not.toBeNull();
    expect(await auditEntries(user.vault)).toMatchObject([{ actor_id: user.id, details: { others: 1 } }]);
    await expect(system.callAs(caller, endOtherSessions)).resolves.toEqual({ success: true, ended: 0 });
    expect(await auditEntries(user.vault)).toHaveLength(1);
  });

  it('ends all of them for a request with an API token', async () => {
    const { caller, user, access } = await signedInTwice();
    const { session: _, ...byToken } = caller;
    await expect(system.callAs(byToken, endOtherSessions)).resolves.toEqual({ success: true, ended: 2 });
    expect(await callerOf(system, user.id, access)).toBeNull();
  });
});

describe('signing out', () => {
  it('ends the session and no other', async () => {
    const { email, caller, user, access, refresh } = await signUp(system);
    const other = await signIn(system, email);
    await expect(system.callAs(caller, logout, { body: { refresh } })).resolves.toEqual({ success: true });
    expect(await callerOf(system, user.id, access)).toBeNull();
    await expect(refreshWith(refresh)).rejects.toMatchObject(refused);
    expect(await callerOf(system, user.id, other.access)).not.toBeNull();
    expect(await auditEntries(user.vault)).toMatchObject([{ actor_id: user.id, target_id: claimsOf(access).sid }]);
  });

  it('without a refresh token ends the session of the request and no other', async () => {
    const { email, caller, user, access } = await signUp(system);
    const other = await signIn(system, email);
    await expect(system.callAs(caller, logout)).resolves.toEqual({ success: true });
    expect(await callerOf(system, user.id, access)).toBeNull();
    expect(await callerOf(system, user.id, other.access)).not.toBeNull();
    const { session: _, ...byToken } = caller;
    await expect(system.callAs(byToken, logout)).rejects.toMatchObject({
      details: { 'body.refresh': expect.any(String) },
    });
  });

  it('does not end the session of another user', async () => {
    const [mine, theirs] = [await signUp(system), await signUp(system)];
    const body = { refresh: theirs.refresh };
    await expect(system.callAs(mine.caller, logout, { body })).resolves.toEqual({ success: false });
    await expect(refreshWith(theirs.refresh)).resolves.toBeDefined();
  });
});
