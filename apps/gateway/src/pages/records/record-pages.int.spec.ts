import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { redeemTicket } from '@millrace/contracts/auth/google';
import { listMembers } from '@millrace/contracts/auth/members';
import { login, logout, refreshSession } from '@millrace/contracts/auth/sessions';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import { getDataset } from '@millrace/contracts/datasets/datasets';
import { getView, queryView } from '@millrace/contracts/datasets/views';
import { ApiError, ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import {
  getTableFollow,
  getViewFollow,
  unsetTableFollow,
  unsetViewFollow,
} from '@millrace/contracts/notifications/table-follows';
import { getRun, stopRun } from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import { listSubjobs } from '@millrace/contracts/runs/subjobs';
import { getModule } from '@millrace/contracts/workflows/library';
import { getPublished } from '@millrace/contracts/workflows/snapshots';
import { ownerCaller } from '@millrace/testkit/callers';
import type { FakeService } from '@millrace/testkit/fake-service';
import { gatewaySystem, ME, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { start } from '../../start.js';
import { alertOf, openPage, submitForm, type VisitedPage } from '../../testing/browser.js';
import { fakeSigningKey } from '../../testing/fake-signing-key.js';

const EVIL = `"><script>alert(1)</script>`;
const AT = '2026-01-01T10:00:00.000Z';
const SNAPSHOT = randomUUID();
const MODULE = randomUUID();
const [TABLE, SOLUTION, VIEW] = [randomUUID(), randomUUID(), randomUUID()];
const PATHS = ['/runs/42', `/library/workflows/${SNAPSHOT}`, `/library/module/${MODULE}`];
const TABLE_PATHS = [`/datasets/${TABLE}`, `/solutions/${SOLUTION}/views/${VIEW}`];
const CREDENTIALS = { email: ME.email, password: 'right', mfa: '123456' };
const AUTHOR = randomUUID();

const keys = fakeSigningKey();
const caller = ownerCaller();
/** In the page of the dashboard, which responds to every path that is no other page. */
const DASHBOARD = '<div id="root">';

let system: GatewaySystem;
let runs: FakeService;
let workflows: FakeService;
let datasets: FakeService;
let notifications: FakeService;
let follows: boolean;
let url: string;
let status: RunStatus;
let ended: number;
let stopped: string[];

beforeAll(async () => {
  system = await gatewaySystem(start);
  [runs, workflows] = await Promise.all([system.fake('runs'), system.fake('workflows')]);
  [datasets, notifications] = await Promise.all([system.fake('datasets'), system.fake('notifications')]);
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
  ...{ has_failures: false, priority: 0, pinned: false, paused: false, stalled: false },
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
  follows = true;
  system.auth.on(login, ({ body }) => {
    const { password, mfa_code } = body as { password: string; mfa_code?: object };
    if (password !== 'right') throw new ApiError('invalid_credentials', 'no');
    if (!mfa_code) throw new ApiError('mfa_required', 'no');
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
  const dates = { created_date: AT, modified_date: AT, loaded_date: AT };
  datasets.on(getDataset, () => ({
    ...{ id: TABLE, name: `hosts ${EVIL}`, solution: SOLUTION, space: 's', vault: 'v', primary_key: [], ...dates },
    ...{ row_count: 1_234, rejected_count: 0, author: AUTHOR },
  }));
  datasets.on(getView, () => ({
    ...{ id: VIEW, name: `Big ${EVIL}`, dataset: TABLE, solution: SOLUTION, q: 'port > 1000', ...dates },
  }));
  datasets.on(queryView, () => ({ results: [], columns: [], count: 120_000, count_is_estimate: true, cursor: null }));
  const toFollow = () => ({ dataset: TABLE, following: follows, email: follows, in_app: follows });
  const unfollow = () => {
    follows = false;
    return toFollow();
  };
  for (const operation of [getTableFollow, getViewFollow]) notifications.on(operation, toFollow);
  for (const operation of [unsetTableFollow, unsetViewFollow]) notifications.on(operation, unfollow);
});

const open = (path: string) => openPage(`${url}${path}`);
const submit = (path: string, fields: Record<string, string>) => submitForm(`${url}${path}`, fields);
/** The names and values that the page shows. */
const factsOf = ({ text }: VisitedPage): Record<string, string> => {
  const facts = text.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^<]*)<\/dd>/g);
  return Object.fromEntries([...facts].map(([, name = '', value = '']) => [name, value]));
};

describe.each([...PATHS, ...TABLE_PATHS])('%s', (path) => {
  it('requires a sign-in and shows nothing before', async () => {
    const seen = await open(path);
    expect(seen.status).toBe(200);
    expect(Object.keys(seen.fields)).toEqual(['email', 'password', 'mfa']);
    expect(seen.text).toContain(`action="${path}"`);
    expect(seen.text).not.toContain('<script');
    expect([seen.headers.get('set-cookie'), seen.headers.get('cache-control')]).toEqual([null, 'no-store']);
    expect(seen.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-/);
  });

  it('is shown after a sign-in with Google, and its links do not contain the ticket', async () => {
    system.auth.on(redeemTicket, ({ body }) => {
      if ((body as { ticket: string }).ticket !== 'good') throw new ApiError('expired_token', 'no');
      return { ...tokens(), user: ME };
    });
    expect((await open(`${path}?ticket=good`)).text).toContain('&lt;script&gt;alert(1)');
    const late = await open(`${path}?ticket=late`);
    expect([late.status, alertOf(late)]).toEqual([400, 'The sign-in with Google took too long. Try again.']);
    expect(late.text).not.toContain('ticket=');
  });

  it('shows the record after a sign-in, with all text escaped', async () => {
    const { text } = await submit(path, CREDENTIALS);
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toContain('<script>alert');
  });

  it.each([
    [{ password: 'wrong' }, 'The email or password is wrong'],
    [{ mfa: '' }, 'second factor'],
    [{ mfa: 'x'.repeat(100) }, 'The request is not valid.'],
  ])('with %j shows the form again with an error', async (change, sentence) => {
    const seen = await submit(path, { ...CREDENTIALS, ...change });
    expect([seen.status, seen.fields['email'], seen.fields['password']]).toEqual([400, ME.email, '']);
    expect(alertOf(seen)).toContain(sentence);
  });

  it.each([
    [new NotFoundError('Run 42'), 'does not exist'],
    [new ForbiddenError(), 'You have no access to this '],
  ])('explains that the record cannot be shown, and ends the session: %s', async (error, sentence) => {
    runs.on(getRun, () => Promise.reject(error));
    workflows.on(getPublished, () => Promise.reject(error));
    workflows.on(getModule, () => Promise.reject(error));
    for (const operation of [getDataset, getView]) datasets.on(operation, () => Promise.reject(error));
    const seen = await submit(path, CREDENTIALS);
    expect([seen.status, ended]).toEqual([error.status, 1]);
    expect(alertOf(seen)).toContain(sentence);
    expect(Object.keys(seen.fields)).toEqual(['email', 'password', 'mfa']);
  });
});

describe('the page of a run', () => {
  it('shows the state of the run, and refreshes without another sign-in', async () => {
    const first = await submit('/runs/42', CREDENTIALS);
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

  it('shows the error of a finished run without buttons, and ends the session', async () => {
    status = 'FAILED';
    const seen = await submit('/runs/42', CREDENTIALS);
    expect(factsOf(seen)).toMatchObject({ Status: 'Failed', Error: expect.stringContaining('exited with 2') });
    expect([seen.fields, ended]).toEqual([{}, 1]);
    expect(seen.text).not.toMatch(/<script|<button/);
  });

  it('has a button that stops the run', async () => {
    const { fields } = await submit('/runs/42', CREDENTIALS);
    const seen = await submit('/runs/42', { ...fields, action: 'stop' });
    expect([stopped, factsOf(seen)['Status']]).toEqual([['42'], 'Stopping']);
    expect(seen.text).toMatch(/value="stop"\s+disabled/);
  });

  it('shows that the user may not stop the run, and still shows the run', async () => {
    runs.on(stopRun, () => Promise.reject(new ForbiddenError()));
    const { fields } = await submit('/runs/42', CREDENTIALS);
    const seen = await submit('/runs/42', { ...fields, action: 'stop' });
    const message = 'Your role does not permit this. Ask an owner of the space or the vault for a stronger role.';
    expect([alertOf(seen), factsOf(seen)['Status']]).toEqual([message, 'Running']);
    expect(seen.fields['access']).toBe(fields['access']);
  });

  it('stops no run without a sign-in', async () => {
    expect((await submit('/runs/42', { action: 'stop', access: 'x.y.z', refresh: 'r' })).status).toBe(401);
    expect((await submit('/runs/42', { action: 'stop' })).status).toBe(400);
    expect(stopped).toEqual([]);
  });

  it('renews an expired session once, even for the request that stops the run', async () => {
    const refreshes: unknown[] = [];
    system.auth.on(refreshSession, ({ body }) => {
      refreshes.push(body);
      return { ...tokens(), refresh: 'next' };
    });
    const expired = { account: ME.email, access: keys.access(caller.user, -60), refresh: 'refresh' };
    const seen = await submit('/runs/42', { ...expired, action: 'stop' });
    expect([seen.status, seen.fields['account'], seen.fields['refresh']]).toEqual([200, ME.email, 'next']);
    expect([refreshes, stopped]).toEqual([[{ refresh: 'refresh' }], ['42']]);
  });

  it('requires a sign-in if the session cannot be renewed', async () => {
    system.auth.on(refreshSession, () => Promise.reject(new ApiError('invalid_credentials', 'no')));
    const expired = { account: ME.email, access: keys.access(caller.user, -60), refresh: 'refresh' };
    const seen = await submit('/runs/42', expired);
    expect([seen.status, alertOf(seen)]).toEqual([401, 'Your session has ended. Sign in again.']);
    expect(seen.fields).toHaveProperty('password');
  });

  it('keeps the session after a temporary failure', async () => {
    const { fields } = await submit('/runs/42', CREDENTIALS);
    runs.on(getRun, () => Promise.reject(new ApiError('rate_limited', 'no', { retry_after: 5 })));
    const seen = await submit('/runs/42', fields);
    expect([seen.status, alertOf(seen), ended]).toEqual([429, 'Too many attempts. Wait 5 seconds and try again.', 0]);
    expect(seen.fields).toEqual(fields);
  });

  it('contains one script, which its policy allows to call only this site', async () => {
    const { text, headers } = await submit('/runs/42', CREDENTIALS);
    const [script, ...others] = [...text.matchAll(/<script>([^]*?)<\/script>/g)].map(([, body]) => body);
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(script ?? ''));
    const hash = Buffer.from(digest).toString('base64');
    expect(others).toEqual([]);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
    expect(headers.get('content-security-policy')).toContain(`; script-src 'sha256-${hash}'; connect-src 'self'`);
  });

  it('exists for numeric ids only', async () => {
    expect((await open('/runs/..%2f..%2fusers')).text).toContain(DASHBOARD);
    const seen = await submit('/runs/none', CREDENTIALS);
    expect([seen.status, alertOf(seen)]).toEqual([400, expect.stringContaining('This run does not exist')]);
  });
});

describe('the pages of the library', () => {
  it('show a published workflow and end the session', async () => {
    const seen = await submit(`/library/workflows/${SNAPSHOT}`, CREDENTIALS);
    expect(factsOf(seen)).toMatchObject({ Workflow: 'Scan', Version: '3', Space: 'Main', Author: AUTHOR });
    expect(seen.text).toContain('<p>Finds &quot;');
    expect([seen.fields, ended]).toEqual([{}, 1]);
  });

  it('show a module and end the session', async () => {
    const seen = await submit(`/library/module/${MODULE}`, CREDENTIALS);
    expect(factsOf(seen)).toMatchObject({ Kind: 'Tool', Version: '5', Author: AUTHOR });
    expect(seen.text).toContain('<p>Cuts &quot;');
    expect([seen.fields, ended]).toEqual([{}, 1]);
  });

  it('show the name of the author to users who may list the members of the vault', async () => {
    const ada = {
      id: AUTHOR,
      email: ME.email,
      name: 'Ada',
      vault_role: 'owner' as const,
      effective_role: 'owner' as const,
    };
    const rest = { teams: [], disabled: false, is_google: false, mfa_enabled: false, created_date: AT };
    system.auth.on(listMembers, () => ({ results: [{ ...ada, ...rest }], count: 1 }));
    for (const path of PATHS.slice(1)) expect(factsOf(await submit(path, CREDENTIALS))['Author']).toBe('Ada');
  });
});

describe.each(TABLE_PATHS)('the page %s', (path) => {
  it('has a button that stops following, and ends the session then', async () => {
    const first = await submit(path, CREDENTIALS);
    expect([first.text.includes('Stop following'), ended]).toEqual([true, 0]);
    const second = await submit(path, { ...first.fields, action: 'unfollow' });
    expect([follows, ended, second.fields]).toEqual([false, 1, {}]);
    expect(second.text).toContain('You no longer follow it.');
  });

  it('has no button for a user who does not follow, and ends the session', async () => {
    follows = false;
    const { text, fields } = await submit(path, CREDENTIALS);
    expect([ended, fields]).toEqual([1, {}]);
    expect(text).not.toMatch(/<button|no longer/);
  });

  it('exists for ids only', async () => {
    expect((await open(path.replace(/[^/]+$/, '..%2f..%2fusers'))).text).toContain(DASHBOARD);
  });
});

it('the page of a table shows its size, and that of a view its query and the number of matching rows', async () => {
  const [table, view] = [await submit(TABLE_PATHS[0]!, CREDENTIALS), await submit(TABLE_PATHS[1]!, CREDENTIALS)];
  expect(factsOf(table)).toMatchObject({ Rows: '1,234', Loaded: '2026-01-01 10:00:00 UTC' });
  expect(factsOf(view)).toMatchObject({ Query: 'port &gt; 1000', 'Matching rows': 'about 120,000' });
  expect(factsOf(view)['Table']).toContain('hosts');
});

it('the page of a view whose query fails says so, and has the button', async () => {
  datasets.on(queryView, () => Promise.reject(new ApiError('validation_error', 'there is no column "port"')));
  const { text, status: code } = await submit(TABLE_PATHS[1]!, CREDENTIALS);
  expect([code, ended]).toEqual([200, 0]);
  expect(text).toContain('unknown, because the query failed: there is no column &quot;port&quot;');
  expect(text).toContain('Stop following');
});
