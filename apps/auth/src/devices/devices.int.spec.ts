import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approveDevice, describeDevice, deviceToken, requestDeviceCode } from '@millrace/contracts/auth/devices';
import { listSessions, refreshSession } from '@millrace/contracts/auth/sessions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { callerOf, signUp, randomAddress } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
beforeAll(async () => {
  // Two copies of the service, so that concurrent polls meet in the database instead of one process.
  system = await startApps([start, start]);
});
afterAll(() => system.close());

const request = (address = randomAddress()) =>
  system.callAs(null, requestDeviceCode, { body: { client_id: 'svc-cli' } }, { address, agent: 'millrace-cli/1.0' });
const poll = (device_code: string, idempotencyKey?: string) =>
  system.callAs(
    null,
    deviceToken,
    { body: { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code, client_id: 'svc-cli' } },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );
const decide = (caller: Caller, user_code: string, approve = true) =>
  system.callAs(caller, approveDevice, { body: { user_code, approve } }, { address: randomAddress() });
const describeCode = (caller: Caller, user_code: string, address = randomAddress()) =>
  system.callAs(caller, describeDevice, { query: { user_code } }, { address });

/** Moves the creation and the last poll of a grant into the past. */
const pass = (seconds: number) =>
  system.database.query(
    `UPDATE auth.device_grant SET polled_at = polled_at - $1 * interval '1 s', expires_at = expires_at - $1 * interval '1 s'`,
    [seconds],
  );

describe('a device code', () => {
  it('comes with a user code of unambiguous letters and the page to enter it', async () => {
    const response = await request();
    expect(response).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'http://127.0.0.1/device',
      verification_uri_complete: `http://127.0.0.1/device?user_code=${response.user_code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  it('is refused after thirty requests from an address', async () => {
    const address = randomAddress();
    const all = await Promise.allSettled(Array.from({ length: 32 }, () => request(address)));
    // Each copy of the service may admit one more.
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(30);
    await expect(request(address)).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(request()).resolves.toBeDefined();
  });
});

describe('polling', () => {
  it('is pending until a user approves, and then returns tokens of that user once', async () => {
    const { caller, user } = await signUp(system);
    const { device_code, user_code } = await request('10.6.6.6');
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'authorization_pending' });
    await expect(decide(caller, user_code)).resolves.toEqual({ success: true, status: 'approved' });
    const tokens = await poll(device_code);
    expect(tokens).toMatchObject({ token_type: 'Bearer', is_google: false });
    expect(await callerOf(system, user.id, tokens.access_token)).toMatchObject({ user: user.id });
    const refresh = String(tokens.refresh_token);
    await expect(system.callAs(null, refreshSession, { body: { refresh } })).resolves.toBeDefined();
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'expired_token' });
    const { results } = await system.callAs(caller, listSessions, { query: { search: 'svc-cli' } });
    expect(results).toMatchObject([{ client: 'svc-cli', address: '10.6.6.6', agent: 'millrace-cli/1.0' }]);
  });

  it('faster than the interval fails with slow_down, which adds five seconds each time', async () => {
    const { device_code } = await request();
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'authorization_pending' });
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'slow_down', details: { interval: 10 } });
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'slow_down', details: { interval: 15 } });
    await pass(11);
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'slow_down', details: { interval: 20 } });
    await pass(20);
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'authorization_pending' });
  });

  it('at the interval is not too fast', async () => {
    const { device_code } = await request();
    for (let i = 0; i < 3; i++) {
      await expect(poll(device_code)).rejects.toMatchObject({ code: 'authorization_pending' });
      await pass(5);
    }
  });

  it('too fast repeatedly with one idempotency key fails each time', async () => {
    const { device_code } = await request();
    await expect(poll(device_code, 'same')).rejects.toMatchObject({ code: 'authorization_pending' });
    await expect(poll(device_code, 'same')).rejects.toMatchObject({ code: 'slow_down' });
  });

  it('after a denial fails with access_denied', async () => {
    const { caller } = await signUp(system);
    const { device_code, user_code } = await request();
    await expect(decide(caller, user_code, false)).resolves.toEqual({ success: true, status: 'denied' });
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'access_denied' });
  });

  it.each(['guess', '\0', '💥'])('with an unknown code (%j) fails with expired_token', async (code) => {
    await expect(poll(code)).rejects.toMatchObject({ code: 'expired_token' });
  });

  it('fails after ten minutes, even if it was approved or denied', async () => {
    const { caller } = await signUp(system);
    const [waiting, approved, denied] = [await request(), await request(), await request()];
    await decide(caller, approved.user_code);
    await decide(caller, denied.user_code, false);
    await pass(600);
    for (const { device_code } of [waiting, approved, denied])
      await expect(poll(device_code)).rejects.toMatchObject({ code: 'expired_token' });
    await expect(decide(caller, waiting.user_code)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('concurrently returns tokens to one client only', async () => {
    const { caller, user } = await signUp(system);
    const { device_code, user_code } = await request();
    await decide(caller, user_code);
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => poll(device_code)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const sessions = `SELECT 1 FROM auth.session WHERE user_id = $1 AND client = 'svc-cli'`;
    expect(await system.database.query(sessions, [user.id])).toHaveLength(1);
  });

  it('returns no tokens of a user who was disabled after the approval', async () => {
    const { caller, user } = await signUp(system);
    const { device_code, user_code } = await request();
    await decide(caller, user_code);
    await system.database.query(`UPDATE auth."user" SET disabled_at = now() WHERE id = $1`, [user.id]);
    await expect(poll(device_code)).rejects.toMatchObject({ code: 'access_denied' });
  });
});

describe('a user code', () => {
  it('shows the device, in any spelling of the code', async () => {
    const { caller } = await signUp(system);
    const { user_code } = await request('10.5.5.5');
    const expected = { client_id: 'svc-cli', address: '10.5.5.5', agent: 'millrace-cli/1.0' };
    for (const typed of [
      user_code,
      user_code.toLowerCase(),
      ` ${user_code.replace('-', '')}`,
      [...user_code].join(' '),
    ])
      expect(await describeCode(caller, typed)).toMatchObject(expected);
  });

  it('is decided once, and the decision is recorded', async () => {
    const { caller, user } = await signUp(system);
    const { user_code } = await request('10.5.5.5');
    await decide(caller, user_code, false);
    await expect(decide(caller, user_code)).rejects.toMatchObject({ code: 'not_found' });
    await expect(describeCode(caller, user_code)).rejects.toMatchObject({ code: 'not_found' });
    await decide(caller, (await request()).user_code);
    const entries = await system.database.query(
      `SELECT action, actor_id, details ->> 'client' AS client FROM auth.audit_entry
       WHERE vault_id = $1 AND action LIKE 'device%' ORDER BY created_at`,
      [user.vault],
    );
    expect(entries).toEqual([
      { action: 'device.denied', actor_id: user.id, client: 'svc-cli' },
      { action: 'device.approved', actor_id: user.id, client: 'svc-cli' },
    ]);
  });

  it('cannot be guessed more than five times by a user, even with right codes in between', async () => {
    const { caller } = await signUp(system);
    const { user_code } = await request();
    for (let i = 0; i < 5; i++) {
      const guess = i % 2 === 0 ? describeCode(caller, 'BBBB-BBBB') : decide(caller, 'BBBB-BBBB');
      await expect(guess).rejects.toMatchObject({ code: 'not_found' });
      await describeCode(caller, user_code);
    }
    await expect(describeCode(caller, 'BBBB-BBBB')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(decide(caller, user_code)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('cannot be guessed more than twenty times from an address', async () => {
    const address = randomAddress();
    for (let i = 0; i < 5; i++) {
      const { caller } = await signUp(system);
      for (let j = 0; j < 4; j++) await describeCode(caller, 'BBBB-BBBB', address).catch(() => undefined);
    }
    const { caller } = await signUp(system);
    await expect(describeCode(caller, 'BBBB-BBBB', address)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
