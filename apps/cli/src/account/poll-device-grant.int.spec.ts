import { afterEach, describe, expect, it } from '@jest/globals';
import { fakeAuth, type PollResponse } from '../testing/fake-auth.js';
import { pollDeviceGrant } from './poll-device-grant.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Polls a server that sends the responses `polls`. The waits are recorded instead of spent. */
async function pollThrough(polls: PollResponse[], { interval = 5, expiresIn = 600 } = {}) {
  const server = await fakeAuth({ polls });
  open.push(server);
  const waits: number[] = [];
  const outages: unknown[] = [];
  const code = {
    device_code: 'the-device-code',
    user_code: 'BCDF-GHJK',
    verification_uri: server.url,
    verification_uri_complete: server.url,
    expires_in: expiresIn,
    interval,
  };
  const polling = pollDeviceGrant(server.url, code, {
    signal: new AbortController().signal,
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    onOutage: (error) => outages.push(error),
  });
  return { polling, waits, outages, server };
}

describe('pollDeviceGrant', () => {
  it('waits the interval of the server before each poll, until the grant is approved', async () => {
    const { polling, waits, server } = await pollThrough([
      'authorization_pending',
      'authorization_pending',
      'approved',
    ]);
    expect(await polling).toMatchObject({ refresh_token: 'r1', token_type: 'Bearer' });
    expect(waits).toEqual([5_000, 5_000, 5_000]);
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'the-device-code',
      client_id: 'svc-cli',
    });
  });

  it('increases the interval by five seconds after each slow_down', async () => {
    const { polling, waits } = await pollThrough(['slow_down', 'authorization_pending', 'slow_down', 'approved']);
    await polling;
    expect(waits).toEqual([5_000, 10_000, 10_000, 15_000]);
  });

  it('fails with an explanation if the grant was denied or has expired', async () => {
    await expect((await pollThrough(['access_denied'])).polling).rejects.toThrow('denied in the browser');
    await expect((await pollThrough(['expired_token'])).polling).rejects.toThrow('Try again: millrace login');
  });

  it('fails if a response does not match the contract', async () => {
    const { polling, server } = await pollThrough(['authorization_pending', 'unexpected']);
    await expect(polling).rejects.toThrow(`${server.url} does not respond to POST /api/auth/device/token`);
  });

  it('continues at longer intervals while the server does not respond, and reports it once', async () => {
    const { polling, waits, outages } = await pollThrough([
      ...Array.from({ length: 5 }, () => 'lost' as const),
      'authorization_pending',
      'approved',
    ]);
    await polling.catch(() => undefined);
    expect(waits.slice(0, 7)).toEqual([5_000, 10_000, 20_000, 40_000, 40_000, 40_000, 5_000]);
    expect(outages).toHaveLength(1);
  });

  it('receives the tokens after the response with them was lost', async () => {
    const { polling, server } = await pollThrough(['authorization_pending', 'lost', 'approved']);
    expect(await polling).toMatchObject({ refresh_token: 'r1' });
    const [first, second, third] = server.auth.keys;
    expect(second).not.toBe(first);
    expect(third).toBe(second);
  });

  it('fails without another poll when the code has expired', async () => {
    const { polling, server, waits } = await pollThrough(['approved'], { expiresIn: 0 });
    await expect(polling).rejects.toThrow('expired');
    expect(waits).toEqual([0]);
    expect(server.auth.keys).toEqual([]);
  });

  it('stops when its signal is aborted', async () => {
    const server = await fakeAuth({ polls: ['authorization_pending'] });
    open.push(server);
    const controller = new AbortController();
    const code = {
      device_code: 'd',
      user_code: 'u',
      verification_uri: server.url,
      verification_uri_complete: server.url,
      expires_in: 600,
      interval: 300,
    };
    const polling = pollDeviceGrant(server.url, code, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(polling).rejects.toThrow('enough');
  });
});
