import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { approveDevice, describeDevice } from '@millrace/contracts/auth/devices';
import { acceptInvitation, describeInvitation } from '@millrace/contracts/auth/invitations';
import { confirmReset, requestReset } from '@millrace/contracts/auth/passwords';
import { login, logout } from '@millrace/contracts/auth/sessions';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { ApiError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { gatewaySystem, ME, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../../start.js';
import { alertOf, openPage, submitForm } from '../../testing/browser.js';
import { fakeSigningKey } from '../../testing/fake-signing-key.js';

const CODE = 'BCDF-GHJK';
const EVIL = `"><script>alert(1)</script>`;
const keys = fakeSigningKey();

let system: GatewaySystem;
let url: string;
let caller: ReturnType<typeof ownerCaller>;
let received: Record<string, Envelope>;

const makeTokens = () => ({
  access: keys.access(caller.user),
  refresh: 'refresh',
  expiresAt: '2030-01-01T00:00:00.000Z',
  user: ME,
});

beforeAll(async () => {
  system = await gatewaySystem(start);
  caller = ownerCaller();
  system.auth.on(listSigningKeys, () => keys.published);
  system.auth.on(resolveCaller, () => ({ caller }));
  url = await system.start({ TRUST_PROXY: 'loopback' });
});
afterAll(() => system.close());

beforeEach(() => {
  received = {};
  const record = (name: string, envelope: Envelope) => {
    received[name] = envelope;
  };
  system.auth.on(login, (envelope) => {
    record('login', envelope);
    const { password, mfa_code } = envelope.body as { password: string; mfa_code?: object };
    if (password !== 'right') throw new ApiError('invalid_credentials', 'no');
    if (!mfa_code) throw new ApiError('mfa_required', 'no');
    return makeTokens();
  });
  system.auth.on(describeDevice, ({ query }) => {
    if ((query as { user_code: string }).user_code !== CODE) throw new NotFoundError('Code');
    const dates = { created_date: '2026-01-01T10:00:00.000Z', expires_date: '2026-01-01T10:10:00.000Z' };
    return { client_id: 'svc-cli' as const, address: '198.51.100.7', agent: `cli/1 ${EVIL}`, ...dates };
  });
  system.auth.on(approveDevice, (envelope) => {
    record('approve', envelope);
    const { approve } = envelope.body as { approve: boolean };
    return { success: true, status: approve ? ('approved' as const) : ('denied' as const) };
  });
  system.auth.on(logout, (envelope) => {
    record('logout', envelope);
    return { success: true };
  });
});

const open = (path: string) => openPage(`${url}${path}`);
const submit = (path: string, fields: Record<string, string>) => submitForm(`${url}${path}`, fields);

const credentials = { user_code: CODE, email: ME.email, password: 'right', mfa: '123 456' };

describe('every account page', () => {
  it.each(['/device', '/password-reset', '/password-reset/request', '/signed-in'])(
    'works without scripts and cookies and is not cached: %s',
    async (path) => {
      const { status, text, headers } = await open(path);
      expect(status).toBe(200);
      expect(text).not.toContain('<script');
      expect([headers.get('set-cookie'), headers.get('cache-control')]).toEqual([null, 'no-store']);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
    },
  );

  it('has the style sheet that its policy allows', async () => {
    const { text, headers } = await open('/device');
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(style));
    expect(headers.get('content-security-policy')).toContain(`'sha256-${Buffer.from(digest).toString('base64')}'`);
  });

  it('has a label for every field', async () => {
    const { text, fields } = await open('/device');
    for (const name of Object.keys(fields)) expect(text).toContain(`<label for="${name}">`);
  });

  it('responds with an error page to a form that is too large', async () => {
    const page = await submit('/device', { user_code: 'x'.repeat(100_000) });
    expect([page.status, page.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    expect(alertOf(page)).toContain('too large');
  });
});

describe('/device', () => {
  it('fills in the code of the link, escaped', async () => {
    expect((await open(`/device?user_code=${CODE}`)).fields['user_code']).toBe(CODE);
    const { text, fields } = await open(`/device?${new URLSearchParams({ user_code: EVIL }).toString()}`);
    expect(fields['user_code']).toBe(EVIL);
    expect(text).not.toContain('<script');
  });

  it('shows the device after a sign-in, applies the decision, and ends the session', async () => {
    const shown = await submit('/device', credentials);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('198.51.100.7');
    expect(shown.text).toContain('cli/1 &quot;&gt;&lt;script&gt;');
    expect(shown.text).toContain(ME.email);
    expect(received['login']).toMatchObject({
      body: { mfa_code: { code: '123456' } },
      client: { address: '203.0.113.5', agent: 'Browser' },
    });
    const done = await submit('/device/decision', { ...shown.fields, decision: 'approve' });
    expect(done.text).toContain('The device is signed in');
    expect(received['approve']).toMatchObject({
      caller: { user: caller.user },
      body: { user_code: CODE, approve: true },
    });
    expect(received['logout']).toMatchObject({ body: { refresh: 'refresh' } });
  });

  it('applies a denial', async () => {
    const { fields } = await submit('/device', credentials);
    const done = await submit('/device/decision', { ...fields, decision: 'deny' });
    expect(done.text).toContain('was denied');
    expect(received['approve']).toMatchObject({ body: { approve: false } });
  });

  it.each([
    [{ password: 'wrong' }, 400, 'The email or password is wrong'],
    [{ mfa: '' }, 400, 'second factor'],
    [{ email: 'x'.repeat(300) }, 400, 'Email: '],
  ])('with %j shows the form again with an error', async (change, status, sentence) => {
    const page = await submit('/device', { ...credentials, ...change });
    expect([page.status, page.fields['user_code'], page.fields['password']]).toEqual([status, CODE, '']);
    expect(alertOf(page)).toContain(sentence);
  });

  it('sends a recovery code as such', async () => {
    await submit('/device', { ...credentials, mfa: 'abcd-efgh' });
    expect(received['login']?.body).toMatchObject({ mfa_code: { recovery_code: 'abcd-efgh' } });
  });

  it('shows how long to wait after too many attempts', async () => {
    system.auth.on(login, () => Promise.reject(new ApiError('rate_limited', 'no', { retry_after: 840 })));
    const page = await submit('/device', credentials);
    expect([page.status, alertOf(page)]).toEqual([429, 'Too many attempts. Wait 14 minutes and try again.']);
  });

  it('requests the code again after a wrong one, without another sign-in', async () => {
    const again = await submit('/device', { ...credentials, user_code: 'WRONG' });
    expect(again.status).toBe(404);
    expect(again.text).not.toContain('type="password"');
    const shown = await submit('/device', { ...again.fields, user_code: CODE });
    expect(shown.text).toContain('198.51.100.7');
  });

  it.each(['approve', 'nothing'])('ignores a decision without a sign-in: %s', async (decision) => {
    const page = await submit('/device/decision', { user_code: CODE, decision });
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(alertOf(page)).toBeDefined();
    expect(received['approve']).toBeUndefined();
  });
});

describe('/invitations/accept', () => {
  beforeEach(() => {
    system.auth.on(describeInvitation, ({ body }) => {
      if ((body as { token: string }).token !== 'good') throw new ApiError('expired_token', 'no');
      return { email: ME.email, vault: EVIL, expires_date: '2030-01-01T00:00:00.000Z' };
    });
    system.auth.on(acceptInvitation, (envelope) => {
      received['accept'] = envelope;
      return makeTokens();
    });
  });

  it('names the vault, creates the account, and shows the next step', async () => {
    const form = await open('/invitations/accept?token=good');
    expect(form.text).toContain('&lt;script&gt;');
    expect(form.text).not.toContain('<script');
    const done = await submit('/invitations/accept', { ...form.fields, name: 'Ada', password: 'a long password' });
    expect(done.text).toContain('npx millrace login');
    expect(received['accept']?.body).toEqual({ token: 'good', name: 'Ada', password: 'a long password' });
    expect(received['logout']).toBeDefined();
  });

  it('names the invalid field and keeps the others', async () => {
    const page = await submit('/invitations/accept', { token: 'good', name: 'Ada', password: 'short' });
    expect([page.status, page.fields['name']]).toEqual([400, 'Ada']);
    expect(alertOf(page)).toContain('Password: ');
  });

  it.each(['expired', ''])('shows an error for the token "%s"', async (token) => {
    const page = await open(`/invitations/accept?token=${token}`);
    expect(page.status).toBe(400);
    expect(alertOf(page)).toBeDefined();
  });
});

describe('/password-reset', () => {
  it('changes the password with the token of the link', async () => {
    system.auth.on(confirmReset, (envelope) => {
      received['reset'] = envelope;
      return { success: true };
    });
    const form = await open('/password-reset?token=secret');
    const done = await submit('/password-reset', { ...form.fields, password: 'a long password' });
    expect(done.text).toContain('Your password is changed');
    expect(received['reset']?.body).toEqual({ token: 'secret', password: 'a long password' });
  });

  it('shows that a link was already used', async () => {
    system.auth.on(confirmReset, () => Promise.reject(new ApiError('expired_token', 'no')));
    const page = await submit('/password-reset', { token: 'used', password: 'a long password' });
    expect([page.status, alertOf(page)]).toEqual([400, expect.stringContaining('was already used')]);
  });

  it('requests the mail with the link', async () => {
    system.auth.on(requestReset, (envelope) => {
      received['request'] = envelope;
      return { success: true };
    });
    const done = await submit('/password-reset/request', { email: ME.email });
    expect([done.status, received['request']?.body]).toEqual([200, { email: ME.email }]);
    expect(alertOf(await submit('/password-reset/request', { email: 'no-address' }))).toContain('Email: ');
  });
});
