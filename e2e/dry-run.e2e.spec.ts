import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dryRun, parameters, roles, runs, secrets, versions } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './support/invite.js';
import { runCli } from './support/run-cli.js';
import { findNode, makeWorkflow, script, toData, waitForEnd, type Draft } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

interface Body {
  inputs?: Record<string, string | boolean>;
  use_cache?: boolean;
  parallelism?: number;
  reuse_run?: string;
  part?: { from?: string[]; until?: string[] };
  version_id?: string;
  name?: string;
  timeout_seconds?: number;
}

const plan = (id: string, body: Body = {}, who = account) => who.client.call(dryRun.planRun, { params: { id }, body });
const start = (id: string, body: Body = {}) => account.client.call(runs.createRun, { params: { id }, body });
async function run(id: string, body: Body = {}): Promise<string> {
  const started = await start(id, body);
  expect((await waitForEnd(account.client, started.id)).status).toBe('COMPLETED');
  return started.id;
}
const countRuns = async (id: string) =>
  (await account.client.call(runs.listWorkflowRuns, { params: { id }, query: {} })).count;
const change = (id: string, draft: Draft) =>
  account.client.call(versions.saveVersion, { params: { id }, body: { data: toData(draft) } });

/** A pipeline over the lines of a stored file, with a step before and after. */
const pipeline = (scan: string): Draft => ({
  inputs: { 'http-input-1': { type: 'FILE', label: 'hosts', value: null } },
  nodes: {
    'sort-1': script('sort in/http-input-1/*', { cache: true }),
    'scan-1': script(scan, {
      cache: true,
      inputs: { host: { type: 'STRING', order: 1 } },
      distribution: { input: 'host', mode: 'line' },
    }),
    'all-1': script('cat in/scan-1/*/output.txt', { cache: true }),
  },
  edges: [
    ['http-input-1/output', 'sort-1/file/http-input-1'],
    ['sort-1/file', 'scan-1/host/sort-1'],
    ['scan-1/folder', 'all-1/folder/scan-1'],
  ],
});

async function upload(lines: string[]): Promise<string> {
  const path = `dry-run/${randomUUID()}.txt`;
  await account.client.files.upload(path, new Blob([`${lines.join('\n')}\n`]));
  return `millrace://file/${path}`;
}

const byNode = <Value>(steps: { node: string }[], pick: (step: never) => Value): Record<string, Value> =>
  Object.fromEntries(steps.map((step) => [step.node, pick(step as never)]));
type Step = Awaited<ReturnType<typeof plan>>['steps'][number];
const forecasts = (steps: Step[]) => byNode(steps, (step: Step) => step.cache.result);

describe('the plan of a run', () => {
  it('lists the steps with what is known before the first run, and creates nothing', async () => {
    const id = await makeWorkflow(account, pipeline('echo "host $1"'));
    const inputs = { hosts: await upload(['c', 'a', 'b']) };
    const planned = await plan(id, { inputs, parallelism: 2, name: 'Nightly', timeout_seconds: 1 });
    expect(planned).toMatchObject({ can_start: true, problems: [], steps_omitted: 0, parallelism: 2 });
    expect(planned.steps).toMatchObject([
      { node: 'sort-1', type: 'SCRIPT', runner: 'bash', after: [], children: 1, estimate: null },
      { node: 'scan-1', after: ['sort-1'], children: null, estimate: null },
      { node: 'all-1', after: ['scan-1'], children: 1, estimate: null },
    ]);
    expect(planned.estimate).toEqual({
      ...{ duration_ms: null, execution_units: null, without_estimate: ['sort-1', 'scan-1', 'all-1'] },
    });
    expect(await countRuns(id)).toBe(0);
  });

  it('forecasts from earlier runs what the cache gives, and the next run confirms it', async () => {
    const id = await makeWorkflow(account, pipeline('echo "host $1"'));
    const inputs = { hosts: await upload(['c', 'a', 'b']) };
    const first = await run(id, { inputs });
    const planned = await plan(id, { inputs });
    expect(forecasts(planned.steps)).toEqual({ 'sort-1': 'hit', 'scan-1': 'hit', 'all-1': 'hit' });
    expect(planned.steps).toMatchObject([{ children: 1 }, { children: 3 }, { children: 1 }]);
    expect(planned.steps[0]?.cache.run).toBe(first);
    expect(planned.estimate).toMatchObject({ duration_ms: 0, execution_units: 0, without_estimate: [] });
    for (const { estimate } of planned.steps) expect(estimate).toMatchObject({ runs: 1 });
    const second = await run(id, { inputs });
    for (const node of ['sort-1', 'all-1']) expect((await findNode(account.client, second, node)).cached).toBe(true);
    expect(forecasts((await plan(id, { inputs })).steps)).toEqual({ 'sort-1': 'hit', 'scan-1': 'hit', 'all-1': 'hit' });
    const without = await plan(id, { inputs, use_cache: false });
    expect(forecasts(without.steps)).toEqual({ 'sort-1': 'miss', 'scan-1': 'miss', 'all-1': 'miss' });
    expect(without.steps[1]).toMatchObject({ children: null });
    expect(without.estimate.duration_ms).toBeGreaterThan(0);
    expect(without.estimate.execution_units).toBeGreaterThanOrEqual(5);
  });

  it('does not promise anything after a step that has changed, or for other inputs', async () => {
    const id = await makeWorkflow(account, pipeline('echo "host $1"'));
    const inputs = { hosts: await upload(['a', 'b']) };
    await run(id, { inputs });
    await change(id, pipeline('echo "changed $1"'));
    const changed = await plan(id, { inputs });
    expect(forecasts(changed.steps)).toEqual({ 'sort-1': 'hit', 'scan-1': 'unknown', 'all-1': 'unknown' });
    expect(changed.steps).toMatchObject([
      {},
      { children: 2 },
      { cache: { reason: expect.stringContaining('"scan-1"') } },
    ]);
    const others = await plan(id, { inputs: { hosts: await upload(['a', 'b', 'c']) } });
    expect(forecasts(others.steps)).toEqual({ 'sort-1': 'unknown', 'scan-1': 'unknown', 'all-1': 'unknown' });
    const fetched = await plan(id, { inputs: { hosts: 'https://example.org/hosts.txt' } });
    expect(fetched.steps[0]?.cache.reason).toContain('has to be fetched first');
  });

  it('counts the lines of a stored file, and takes over results of an earlier run', async () => {
    const draft = (source: string): Draft => ({
      inputs: { 'http-input-1': { type: 'FILE', label: 'hosts', value: null } },
      nodes: {
        'scan-1': script(source, {
          inputs: { host: { type: 'STRING', order: 1 } },
          distribution: { input: 'host', mode: 'line' },
        }),
        'all-1': script('cat in/scan-1/*/output.txt'),
      },
      edges: [
        ['http-input-1/output', 'scan-1/host/http-input-1'],
        ['scan-1/folder', 'all-1/folder/scan-1'],
      ],
    });
    const id = await makeWorkflow(account, draft('echo "$1"'));
    const inputs = { hosts: await upload(['a', 'b', '', 'c']) };
    const planned = await plan(id, { inputs });
    expect(planned.steps).toMatchObject([{ children: 3, cache: { result: 'miss' } }, { cache: { result: 'miss' } }]);
    const first = await run(id, { inputs });
    expect(forecasts((await plan(id, { inputs })).steps)).toEqual({ 'scan-1': 'miss', 'all-1': 'miss' });
    expect(forecasts((await plan(id, { inputs, use_cache: true })).steps)).toEqual({
      'scan-1': 'miss',
      'all-1': 'unknown',
    });
    const reused = await plan(id, { reuse_run: first });
    expect(forecasts(reused.steps)).toEqual({ 'scan-1': 'hit', 'all-1': 'hit' });
    const second = await run(id, { reuse_run: first });
    expect((await findNode(account.client, second, 'all-1')).cached).toBe(true);
    const from = await plan(id, { reuse_run: first, part: { from: ['all-1'] } });
    expect(from.steps.find(({ node }) => node === 'scan-1')?.cache.result).toBe('hit');
    expect(from.steps.find(({ node }) => node === 'all-1')?.cache.result).toBe('miss');
    const until = await plan(id, { inputs, part: { until: ['scan-1'] } });
    expect(until.steps.map(({ node }) => node)).toEqual(['scan-1']);
    expect(planned.can_start && from.can_start && until.can_start).toBe(true);
  });
});

describe('a forecast of the cache', () => {
  it('is partial if a child has no result', async () => {
    const id = await makeWorkflow(account, {
      nodes: {
        'items-1': script('echo a; echo b; echo c', { cache: true }),
        'scan-1': script('[ "$1" != b ] && echo "$1"', {
          ...{ cache: true, on_error: 'continue' },
          inputs: { item: { type: 'STRING', order: 1 } },
          distribution: { input: 'item', mode: 'line' },
        }),
        'all-1': script('cat in/scan-1/*/output.txt', { cache: true }),
      },
      edges: [
        ['items-1/file', 'scan-1/item/items-1'],
        ['scan-1/folder', 'all-1/folder/scan-1'],
      ],
    });
    await run(id);
    const { steps, estimate } = await plan(id);
    expect(steps.find(({ node }) => node === 'scan-1')).toMatchObject({
      ...{ children: 3, cache: { result: 'partial', hits: 2 } },
    });
    expect(forecasts(steps)).toMatchObject({ 'items-1': 'hit', 'all-1': 'unknown' });
    expect(estimate.without_estimate).toEqual([]);
  });

  it('does not use a run whose parameters were changed after its start', async () => {
    const source = `echo ${randomUUID()} "$1"`;
    const draft = (value: string): Draft => ({
      nodes: { 'a-1': script(source, { cache: true, inputs: { level: { type: 'STRING', order: 1, value } } }) },
    });
    const id = await makeWorkflow(account, draft('1'));
    const first = await run(id);
    const body = { nodes: { 'a-1': { level: '2' } } };
    await account.client.call(parameters.setParameters, { params: { id: first }, body });
    await change(id, draft('2'));
    expect(forecasts((await plan(id)).steps)).toEqual({ 'a-1': 'unknown' });
    expect((await findNode(account.client, await run(id), 'a-1')).cached).toBe(false);
  });

  it('does not use runs with secret variables, which are part of all keys of a run', async () => {
    const name = `SALT_${randomUUID().replaceAll('-', '')}`;
    const body = { name, value: 'grain of salt', scope_type: 'space' as const, space: account.space };
    await account.client.call(secrets.createSecretVariable, { body });
    const first = script(`echo ${randomUUID()}`, { cache: true });
    const salted = { ...script('true'), script: { source: 'true', environment: { S: `\${{vars.${name}}}` } } };
    const id = await makeWorkflow(account, { nodes: { 'a-1': first, 'b-1': salted } });
    await run(id);
    const { steps } = await plan(id);
    expect(steps.find(({ node }) => node === 'a-1')?.cache).toMatchObject({
      ...{ result: 'unknown', reason: expect.stringContaining('variables') },
    });
    await change(id, { nodes: { 'a-1': first } });
    expect(forecasts((await plan(id)).steps)).toEqual({ 'a-1': 'unknown' });
    const executed = await run(id);
    expect((await findNode(account.client, executed, 'a-1')).cached).toBe(false);
    expect(forecasts((await plan(id)).steps)).toEqual({ 'a-1': 'hit' });
  });
});

describe('the problems of a plan', () => {
  it('are listed together, with their places', async () => {
    const name = `TOKEN_${randomUUID().replaceAll('-', '')}`;
    const id = await makeWorkflow(account, {
      inputs: { 'http-input-1': { type: 'FILE', label: 'hosts', value: null } },
      nodes: {
        'a-1': script('cat in/*/*', { script: { source: 'cat in/*/*', environment: { T: `\${{vars.${name}}}` } } }),
      },
      edges: [['http-input-1/output', 'a-1/file/http-input-1']],
    });
    const planned = await plan(id);
    expect(planned.can_start).toBe(false);
    expect(planned.problems).toMatchObject([
      { kind: 'input', severity: 'error', port: 'hosts', message: expect.stringContaining('needs a value') },
      { kind: 'variable', severity: 'error', node: 'a-1', message: expect.stringContaining(name) },
    ]);
    expect(planned.steps).toMatchObject([{ node: 'a-1', cache: { result: 'miss' } }]);
    const wrong = await plan(id, { inputs: { host: 'x' } });
    expect(wrong.problems.map(({ port }) => port)).toEqual(expect.arrayContaining(['host', 'hosts']));
  });

  it('of an invalid workflow are those of the validation', async () => {
    const id = await makeWorkflow(account, { nodes: { 'a-1': script('') } });
    expect(await plan(id)).toMatchObject({
      ...{ can_start: false, steps: [], version: null },
      problems: [{ kind: 'workflow', code: 'script_without_source', node: 'a-1' }],
    });
  });

  it('are errors of the request if it names something that does not exist', async () => {
    const id = await makeWorkflow(account, { nodes: { 'a-1': script('true') } });
    await expect(plan(id, { part: { until: ['b-1'] } })).rejects.toMatchObject({ code: 'validation_error' });
    await expect(plan(id, { part: { from: ['a-1'] } })).rejects.toMatchObject({ code: 'validation_error' });
    await expect(plan(id, { reuse_run: '999999999' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(plan(id, { version_id: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
    await expect(plan(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are for users who may start runs only', async () => {
    const id = await makeWorkflow(account, { nodes: { 'a-1': script('true') } });
    const guest = await invite(account);
    await expect(plan(id, {}, guest)).rejects.toMatchObject({ code: 'not_found' });
    const setRole = (role: 'read' | 'execute') =>
      account.client.call(roles.setUserSpaceRole, {
        params: { spaceId: account.space, id: guest.user },
        body: { role },
      });
    await setRole('read');
    await eventually(() => expect(plan(id, {}, guest)).rejects.toMatchObject({ code: 'forbidden' }));
    await setRole('execute');
    await eventually(() => plan(id, {}, guest));
  });
});

describe('the command `plan`', () => {
  it('plans a workflow by its id, or a file, and exits with 2 if the run could not start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plan-'));
    const env = { MILLRACE_URL: account.url, MILLRACE_TOKEN: account.access, XDG_CONFIG_HOME: folder };
    try {
      // Its own program, so that no other test has its results.
      const id = await makeWorkflow(account, pipeline(`echo "$1 ${randomUUID()}"`));
      const hosts = await upload([randomUUID(), 'b']);
      await run(id, { inputs: { hosts } });
      const planned = await runCli(['plan', id, '--set', `hosts=${hosts}`, '--no-cache'], { env });
      expect(planned).toMatchObject({ code: 0, stderr: '' });
      expect(planned.stdout).toMatch(/^sort-1 +SCRIPT +1 +miss /m);
      expect(planned.stdout).toMatch(/^The run takes about .* and costs \d+ units\.$/m);
      const path = join(folder, 'draft.yaml');
      await writeFile(
        path,
        'name: planned\nworkflow:\n  nodes:\n    a-1: { type: SCRIPT, script: { source: "true" }, inputs: { t: { type: STRING, order: 1 } } }\n',
      );
      const refused = await runCli(['plan', path, '--json'], { env });
      expect(refused).toMatchObject({ code: 2, stderr: '' });
      expect(JSON.parse(refused.stdout)).toMatchObject({
        ...{ can_start: false, problems: [{ code: 'missing_input', node: 'a-1' }] },
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('conditions and approvals in a plan', () => {
  it('are shown, and what follows them is not promised', async () => {
    const id = await makeWorkflow(account, {
      nodes: {
        'a-1': script('echo a', { cache: true }),
        'b-1': script('cat in/*/*', { cache: true, when: 'nodes.a-1.files > 0' }),
        'c-1': script('cat in/*/*', { cache: true }),
        'ask-1': { type: 'APPROVAL' },
        'd-1': script('cat in/*/*', { cache: true }),
      },
      edges: [
        ['a-1/file', 'b-1/file/a-1'],
        ['b-1/file', 'c-1/file/b-1'],
        ['ask-1/file', 'd-1/file/ask-1'],
      ],
    });
    const first = await start(id, { part: { until: ['c-1'] } });
    await waitForEnd(account.client, first.id);
    const { steps } = await plan(id);
    expect(forecasts(steps)).toEqual({
      ...{ 'a-1': 'hit', 'b-1': 'hit', 'c-1': 'unknown', 'ask-1': 'miss', 'd-1': 'unknown' },
    });
    const step = (node: string) => steps.find((candidate) => candidate.node === node);
    expect(step('b-1')).toMatchObject({ condition: 'nodes.a-1.files > 0', after: ['a-1'] });
    expect(step('b-1')?.cache.reason).toContain('if its condition is true');
    expect(step('ask-1')).toMatchObject({ type: 'APPROVAL', runner: 'approval', children: 1 });
  });
});
