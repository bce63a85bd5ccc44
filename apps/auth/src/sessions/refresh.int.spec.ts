import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refreshSession } from '@millrace/contracts/auth/sessions';
import { callerOf, claimsOf, signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  system = await startApps([start]);
});
afterAll(() => system.close());

const refreshWith = (refresh: string) => system.callAs(null, refreshSession, { body: { refresh } });
const refused = { code: 'invalid_credentials' };

describe('a refresh token', () => {
  it('returns new tokens of the same session, and is then invalid', async () => {
    const { access, refresh, user } = await signUp(system);
    const next = await refreshWith(refresh);
    expect(Object.keys(next).sort()).toEqual(['access', 'expiresAt', 'refresh']);
    expect(claimsOf(next.access).sid).toBe(claimsOf(access).sid);
    expect(await callerOf(system, user.id, next.access)).not.toBeNull();
    await expect(refreshWith((await refreshWith(next.refresh)).refresh)).resolves.toBeDefined();
  });

  it('that is reused ends the whole session', async () => {
    const { refresh, user } = await signUp(system);
    const next = await refreshWith(refresh);
    await expect(refreshWith(refresh)).rejects.toMatchObject(refused);
    await expect(refreshWith(next.refresh)).rejects.toMatchObject(refused);
    expect(await callerOf(system, user.id, next.access)).toBeNull();
  });

  it('that is reused is recorded in the audit log, unless its user is disabled', async () => {
    const [stolen, disabled] = [await signUp(system), await signUp(system)];
    await refreshWith(stolen.refresh);
    await expect(refreshWith(stolen.refresh)).rejects.toMatchObject(refused);
    await system.database.query(`UPDATE auth."user" SET disabled_at = now() WHERE id = $1`, [disabled.user.id]);
    await expect(refreshWith(disabled.refresh)).rejects.toMatchObject(refused);
    const notes = await system.database.query(
      `SELECT vault_id, target_id, details FROM auth.audit_entry WHERE action = 'session.reuse_detected'
       AND vault_id IN ($1, $2)`,
      [stolen.user.vault, disabled.user.vault],
    );
    const target_id = claimsOf(stolen.access).sid;
    expect(notes).toEqual([{ vault_id: stolen.user.vault, target_id, details: { user: stolen.user.id } }]);
  });

  it('updates the time of the last use of the session', async () => {
    const { access, refresh } = await signUp(system);
    const { sid } = claimsOf(access);
    await system.database.query(`UPDATE auth.session SET last_used_at = now() - interval '1 hour' WHERE id = $1`, [
      sid,
    ]);
    await refreshWith(refresh);
    const rows = await system.database.query(
      `SELECT last_used_at > now() - interval '1 minute' AS lately FROM auth.session WHERE id = $1`,
      [sid],
    );
    expect(rows).toEqual([{ lately: true }]);
  });

  it('that was never issued ends nothing, even if it names a session', async () => {
    const { refresh, access, user } = await signUp(system);
    const { sid } = claimsOf(access);
    const [, secret = ''] = refresh.split('.');
    for (const forged of [`${sid}.garbage`, `${sid}.${secret}`, `${sid}.${secret}.${'0'.repeat(64)}`]) {
      await expect(system.callAs(null, refreshSession, { body: { refresh: forged } })).rejects.toMatchObject({
        code: 'invalid_credentials',
      });
    }
    expect(await callerOf(system, user.id, access)).not.toBeNull();
  });

  it('that is used ten times at once never returns two valid ones', async () => {
    const { refresh } = await signUp(system);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => refreshWith(refresh)));
    const issued = all.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value.refresh);
    expect(issued).toHaveLength(1);
    const good = await Promise.allSettled(issued.map(refreshWith));
    expect(good.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('that has expired is reported as such', async () => {
    const { access, refresh } = await signUp(system);
    await system.database.query(`UPDATE auth.session SET expires_at = now() WHERE id = $1`, [claimsOf(access).sid]);
    await expect(refreshWith(refresh)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it.each(['nonsense', 'a.b', '01990000-0000-7000-8000-000000000000.guess'])('"%s" is not valid', async (refresh) => {
    await expect(refreshWith(refresh)).rejects.toMatchObject(refused);
  });

  it('returns the same tokens to a request that is repeated with its idempotency key', async () => {
    const { refresh } = await signUp(system);
    const refreshAgain = () =>
      system.callAs(null, refreshSession, { body: { refresh } }, { idempotencyKey: refresh.slice(0, 20) });
    const first = await refreshAgain();
    expect(await refreshAgain()).toEqual(first);
    await expect(refreshWith(first.refresh)).resolves.toBeDefined();
  });

  it('returns the same tokens to a repeated request from another address', async () => {
    const { refresh } = await signUp(system);
    const refreshFrom = (address: string) =>
      system.callAs(null, refreshSession, { body: { refresh } }, { idempotencyKey: refresh.slice(0, 20), address });
    const first = await refreshFrom('10.1.1.1');
    expect(await refreshFrom('10.2.2.2')).toEqual(first);
  });

  it('does not return the tokens of another one that was sent with the same idempotency key', async () => {
    const [mine, theirs] = [await signUp(system), await signUp(system)];
    const refreshAs = ({ refresh }: { refresh: string }) =>
      system.callAs(null, refreshSession, { body: { refresh } }, { idempotencyKey: 'the same key' });
    expect((await refreshAs(mine)).refresh.split('.')[0]).toBe(mine.refresh.split('.')[0]);
    expect((await refreshAs(theirs)).refresh.split('.')[0]).toBe(theirs.refresh.split('.')[0]);
  });
});
