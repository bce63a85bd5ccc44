import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { redeemTicket } from '@millrace/contracts/auth/google';
import { listMembers } from '@millrace/contracts/auth/members';
import { login, logout, refreshSession } from '@millrace/contracts/auth/sessions';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { ApiError, ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import { getRun, stopRun } from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import { listSubjobs } from '@millrace/contracts/runs/subjobs';
import { getModule } from '@millrace/contracts/workflows/library';
import { getPublished } from '@millrace/contracts/workflows/snapshots';
import { ownerCaller } from '@millrace/testkit/callers';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, ME, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../../start.js';
import { alertOf, openPage, submitForm, type Seen } from '../../testing/browser.js';
import { playKeys } from '../../testing/fake-signing-key.js';

const EVIL = `"><script>alert(1)</script>`;
const AT = '2026-01-01T10:00:00.000Z';
const SNAPSHOT = randomUUID();
const MODULE = randomUUID();
const PATHS = ['/runs/42', `/library/workflows/${SNAPSHOT}`, `/library/module/${MODULE}`];
const PERSON = { email: ME.email, password: 'right', mfa: '123456' };
const AUTHOR = randomUUID();

const keys = playKeys();
const caller = ownerCaller();
let system: GatewaySystem;
let runs: FakeService;
let workflows: FakeService;
let url: string;
let status: RunStatus;
let ended: number;
let stopped: string[];

beforeAll(async () => {
  system = await gatewaySystem(start);
  [runs, workflows] = await Promise.all([system.play('runs'), system.play('workflows')]);
  system.auth.on(listSigningKeys, () => keys.published);
  system.auth.on(resolveCaller, () => ({ caller }));
  url = await system.start({ TRUST_PROXY: 'loopback' });
});
afterAll(() => system.close());

const tokens = (lifetime?: number) => ({
  access: keys.access(caller.user, lifetime),
  refresh: 'refresh',
  expiresAt: '2030-01-01T00:00:00.000Z',
});
const counts = { total: 3, pending: 0, running: 1, succeeded: 2, failed: 0, stopping: 0, stopped: 0, skipped: 0 };
const makeRun = () => ({
  ...{ id: '42', name: `Nightly ${EVIL}`, status, partial: false, creation_type: 'MANUAL' as const },
  ...{ workflow_info: 'w', workflow_name: 'Scan', workflow_version_info: 'v', space_info: 's', space_name: 'Main' },
  ...{ parallelism: 1, author: caller.user, created_date: AT, started_date: AT, execution_units: 7 },
  ...{ finished: status === 'FAILED', duration_ms: 65_000, run_insights: counts },
  ...(status === 'FAILED' && { error: `node ${EVIL} exited with 2` }),
});
const step = {
  ...{ id: '1', run: '42', node: 'grep-1', label: `Grep ${EVIL}`, status: 'FAILED' as const, message: 'exited with 2' },
  ...{ attempt: 1, max_attempts: 1, params: {}, outputs_status: 'NONE' as const, cached: false, execution_units: 7 },
};

beforeEach(() => {
  status = 'RUNNING';
  ended = 0;
  stopped = [];
  system.auth.on(login, ({ body }) => {
    const { password, mfa_code } = body as { password: string; mfa_code?: object };
    if (password !== 'right') throw new ApiError('invalid_credentials', 'no');
    if (!mfa_code) throw new ApiError('mfa_required', 'more');
    return { ...tokens(), user: ME };
  });
  system.auth.on(logout, () => {
    ended += 1;
    return { success: true };
  });
  system.auth.on(listMembers, () => Promise.reject(new ForbiddenError()));
  runs.on(getRun, () => makeRun());
  runs.on(listSubjobs, () => ({ results: [step], count: 51 }));
  runs.on(stopRun, ({ params }) => {
    stopped.push((params as { id: string }).id);
    status = 'STOPPING';
    return makeRun();
  });
  workflows.on(getPublished, () => ({
    ...{ id: SNAPSHOT, name: `Released ${EVIL}`, description: `Finds ${EVIL}`, workflow: 'w', workflow_name: 'Scan' },
    ...{ workflow_version_info: 'v', version_number: 3, space_info: 's', space_name: 'Main', author: AUTHOR },
    ...{ created_date: AT, modified_date: AT, data: {} },
  }));
  workflows.on(getModule, () => ({
    ...{ id: MODULE, name: `Sharp ${EVIL}`, description: `Cuts ${EVIL}`, type: 'TOOL' as const, author: AUTHOR },
    ...{ built_in: false, version: 5, created_date: AT, modified_date: AT, node: {} },
  }));
});

const open = (path: string) => openPage(`${url}${path}`);
const submit = (path: string, fields: Record<string, string>) => submitForm(`${url}${path}`, fields);
/** What each name of the page's facts is said to be. */
const factsOf = ({ text }: Seen): Record<string, string> => {
  const facts = text.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^<]*)<\/dd>/g);
  return Object.fromEntries([...facts].map(([, name = '', value = '']) => [name, value]));
};

describe.each(PATHS)('%s', (path) => {
  it('asks who looks, and tells nothing before', async () => {
    const seen = await open(path);
    expect(seen.status).toBe(200);
    expect(Object.keys(seen.fields)).toEqual(['email', 'password', 'mfa']);
    expect(seen.text).toContain(`action="${path}"`);
    expect(seen.text).not.toContain('<script');
    expect([seen.headers.get('set-cookie'), seen.headers.get('cache-control')]).toEqual([null, 'no-store']);
    expect(seen.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-/);
  });

  it('is shown after a sign-in with Google, whose ticket is in no address that follows', async () => {
    system.auth.on(redeemTicket, ({ body }) => {
      if ((body as { ticket: string }).ticket !== 'good') throw new ApiError('expired_token', 'no');
      return { ...tokens(), user: ME };
    });
    expect((await open(`${path}?ticket=good`)).text).toContain('&lt;script&gt;alert(1)');
    const late = await open(`${path}?ticket=late`);
    expect([late.status, alertOf(late)]).toEqual([400, 'The sign-in with Google took too long. Try again.']);
    expect(late.text).not.toContain('ticket=');
  });

  it('shows what it is after a sign-in, as text', async () => {
    const { text } = await submit(path, PERSON);
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script>alert');
  });

  it.each([
    [{ password: 'wrong' }, 'Email or password is not right'],
    [{ mfa: '' }, 'second factor'],
    [{ mfa: 'x'.repeat(100) }, 'The request is not valid.'],
  ])('with %j asks again, with a sentence', async (change, sentence) => {
    const seen = await submit(path, { ...PERSON, ...change });
    expect([seen.status, seen.fields['email'], seen.fields['password']]).toEqual([400, ME.email, '']);
    expect(alertOf(seen)).toContain(sentence);
  });

  it.each([
    [new NotFoundError('It'), 'There is no such '],
    [new ForbiddenError(), 'You may not see this '],
  ])('says in plain words that it cannot be seen, and ends the sign-in: %s', async (error, sentence) => {
    runs.on(getRun, () => Promise.reject(error));
    workflows.on(getPublished, () => Promise.reject(error));
    workflows.on(getModule, () => Promise.reject(error));
    const seen = await submit(path, PERSON);
    expect([seen.status, ended]).toEqual([error.status, 1]);
    expect(alertOf(seen)).toContain(sentence);
    expect(Object.keys(seen.fields)).toEqual(['email', 'password', 'mfa']);
  });
});

describe('the page of a run', () => {
  it('shows how the run goes, and may be asked again without another sign-in', async () => {
    const first = await submit('/runs/42', PERSON);
    expect(factsOf(first)).toMatchObject({
      Workflow: 'Scan',
      Status: 'Running',
      Progress: '3 subjobs: 1 running, 2 succeeded',
      Started: '2026-01-01 10:00:00 UTC',
      Duration: '1 min 5 s',
      Cost: '7 execution units (one is a CPU second; each attempt is rounded up)',
      'Grep &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;': 'Failed: exited with 2',
    });
    expect(first.text).toContain('and 50 more');
    status = 'SUBMITTED';
    expect(factsOf(await submit('/runs/42', first.fields))).toMatchObject({ Status: 'Submitted' });
    expect(ended).toBe(0);
  });

  it('of one that has ended has the error and no button, and the sign-in has ended', async () => {
    status = 'FAILED';
    const seen = await submit('/runs/42', PERSON);
    expect(factsOf(seen)).toMatchObject({ Status: 'Failed', Error: expect.stringContaining('exited with 2') });
    expect([seen.fields, ended]).toEqual([{}, 1]);
    expect(seen.text).not.toMatch(/<script|<button/);
  });

  it('stops it at a button', async () => {
    const { fields } = await submit('/runs/42', PERSON);
    const seen = await submit('/runs/42', { ...fields, action: 'stop' });
    expect([stopped, factsOf(seen)['Status']]).toEqual([['42'], 'Stopping']);
    expect(seen.text).toMatch(/value="stop"\s+disabled/);
  });

  it('says that somebody may not stop it, and goes on to show it', async () => {
    runs.on(stopRun, () => Promise.reject(new ForbiddenError()));
    const { fields } = await submit('/runs/42', PERSON);
    const seen = await submit('/runs/42', { ...fields, action: 'stop' });
    expect([alertOf(seen), factsOf(seen)['Status']]).toEqual(['Your role does not permit this.', 'Running']);
    expect(seen.fields['access']).toBe(fields['access']);
  });

  it('stops nothing without a sign-in', async () => {
    expect((await submit('/runs/42', { action: 'stop', access: 'x.y.z', refresh: 'r' })).status).toBe(401);
    expect((await submit('/runs/42', { action: 'stop' })).status).toBe(400);
    expect(stopped).toEqual([]);
  });

  it('renews a sign-in that has become old, once, also where it stops the run', async () => {
    const asked: unknown[] = [];
    system.auth.on(refreshSession, ({ body }) => {
      asked.push(body);
      return { ...tokens(), refresh: 'next' };
    });
    const old = { account: ME.email, access: keys.access(caller.user, -60), refresh: 'refresh' };
    const seen = await submit('/runs/42', { ...old, action: 'stop' });
    expect([seen.status, seen.fields['account'], seen.fields['refresh']]).toEqual([200, ME.email, 'next']);
    expect([asked, stopped]).toEqual([[{ refresh: 'refresh' }], ['42']]);
  });

  it('asks for a sign-in where it cannot be renewed', async () => {
    system.auth.on(refreshSession, () => Promise.reject(new ApiError('invalid_credentials', 'no')));
    const old = { account: ME.email, access: keys.access(caller.user, -60), refresh: 'refresh' };
    const seen = await submit('/runs/42', old);
    expect([seen.status, alertOf(seen)]).toEqual([401, 'Your sign-in has ended. Sign in again.']);
    expect(seen.fields).toHaveProperty('password');
  });

  it('keeps the sign-in through a failure that passes', async () => {
    const { fields } = await submit('/runs/42', PERSON);
    runs.on(getRun, () => Promise.reject(new ApiError('rate_limited', 'no', { retry_after: 5 })));
    const seen = await submit('/runs/42', fields);
    expect([seen.status, alertOf(seen), ended]).toEqual([429, 'Too many tries. Wait 5 seconds and try again.', 0]);
    expect(seen.fields).toEqual(fields);
  });

  it('runs the one script that its policy allows, which reaches nobody but us', async () => {
    const { text, headers } = await submit('/runs/42', PERSON);
    const [script, ...others] = [...text.matchAll(/<script>([^]*?)<\/script>/g)].map(([, body]) => body);
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(script ?? ''));
    const hash = Buffer.from(digest).toString('base64');
    expect(others).toEqual([]);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
    expect(headers.get('content-security-policy')).toContain(`; script-src 'sha256-${hash}'; connect-src 'self'`);
  });

  it('is there for numbers alone', async () => {
    expect((await open('/runs/..%2f..%2fusers')).status).toBe(404);
    const seen = await submit('/runs/none', PERSON);
    expect([seen.status, alertOf(seen)]).toEqual([400, expect.stringContaining('There is no such run')]);
  });
});

describe('the pages of the library', () => {
  it('show a published workflow, and end the sign-in', async () => {
    const seen = await submit(`/library/workflows/${SNAPSHOT}`, PERSON);
    expect(factsOf(seen)).toMatchObject({ Workflow: 'Scan', Version: '3', Space: 'Main', Author: AUTHOR });
    expect(seen.text).toContain('<p>Finds &quot;');
    expect([seen.fields, ended]).toEqual([{}, 1]);
  });

  it('show a module, and end the sign-in', async () => {
    const seen = await submit(`/library/module/${MODULE}`, PERSON);
    expect(factsOf(seen)).toMatchObject({ Kind: 'Tool', Version: '5', Author: AUTHOR });
    expect(seen.text).toContain('<p>Cuts &quot;');
    expect([seen.fields, ended]).toEqual([{}, 1]);
  });

  it('name the author to those who see the users of the vault', async () => {
    const ada = {
      id: AUTHOR,
      email: ME.email,
      name: 'Ada',
      vault_role: 'owner' as const,
      effective_role: 'owner' as const,
    };
    const rest = { teams: [], disabled: false, is_google: false, mfa_enabled: false, created_date: AT };
    system.auth.on(listMembers, () => ({ results: [{ ...ada, ...rest }], count: 1 }));
    for (const path of PATHS.slice(1)) expect(factsOf(await submit(path, PERSON))['Author']).toBe('Ada');
  });
});
