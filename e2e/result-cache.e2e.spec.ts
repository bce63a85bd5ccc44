import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Run, Subjob } from '@millrace/contracts/records';
import { auditLog, cachedResults, runs, secrets, subjobs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { recordSecret } from './support/record-secret.js';
import { runCli } from './support/run-cli.js';
import {
  findNode,
  listChildren,
  listOutputs,
  makeWorkflow,
  readFilePort,
  readOutput,
  script,
  waitForEnd,
} from './support/run-workflow.js';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

type Body = { inputs?: Record<string, string | boolean>; use_cache?: boolean };

async function run(workflow: string, body: Body = {}): Promise<Run> {
  const { id } = await account.client.call(runs.createRun, { params: { id: workflow }, body });
  const ended = await waitForEnd(account.client, id);
  expect({ status: ended.status, error: ended.error }).toEqual({ status: 'COMPLETED', error: undefined });
  return ended;
}

const cachedOf = async ({ id }: Run, node: string) => (await findNode(account.client, id, node)).cached;

/** A node whose output is different at each execution. Each call returns a different program. */
const clock = () => ({
  nodes: { 'clock-1': script(`date +%s.%N; echo "a log" >&2 # ${randomUUID()}`, { cache: true }) },
});

describe('a node with `cache: true`', () => {
  it('runs once for each line of its input, and later only for the changed line', async () => {
    const each = script('printf "%s %s" "$1" "$(date +%s.%N)"', {
      inputs: { line: { type: 'STRING', order: 1 } },
      distribution: { input: 'line', mode: 'line' },
      cache: true,
    });
    const workflow = await makeWorkflow(account, {
      nodes: { 'each-1': each, 'all-1': script('for i in $(seq 20); do cat in/each-1/$i/output.txt; done') },
      inputs: { 'http-input-1': { type: 'FILE', label: 'lines' } },
      edges: [
        ['http-input-1/output', 'each-1/line'],
        ['each-1/folder', 'all-1/folder'],
      ],
    });
    const start = async (lines: string[]): Promise<{ children: Subjob[]; texts: string[]; run: Run }> => {
      const path = `cache/${randomUUID()}.txt`;
      await account.client.files.upload(path, new Blob(lines.map((line) => `${line}\n`)));
      const ended = await run(workflow, { inputs: { lines: `millrace://file/${path}` } });
      const group = await findNode(account.client, ended.id, 'each-1');
      const children = await listChildren(account.client, ended.id, group.id);
      const files = await listOutputs(account.client, ended.id, 'each-1');
      files.sort((a, b) => (a.task_index ?? 0) - (b.task_index ?? 0));
      return {
        ...{ children, run: ended },
        texts: await Promise.all(files.map((file) => readOutput(account.client, file))),
      };
    };
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    const first = await start(lines);
    const second = await start(lines.with(6, 'another line'));
    expect(first.children.filter(({ cached }) => cached)).toEqual([]);
    expect(second.children.filter(({ cached }) => !cached).map(({ task_index }) => task_index)).toEqual([7]);
    expect(second.children.map(({ cached_from }) => cached_from)).toEqual(
      first.children.map(({ id }) => id).with(6, undefined as never),
    );
    expect(second.texts.with(6, '')).toEqual(first.texts.with(6, ''));
    expect(second.texts[6]).toMatch(/^another line /);
    expect(await readFilePort(account.client, second.run.id, 'all-1')).toBe(second.texts.join(''));
    expect(second.run.execution_units).toBeLessThan(first.run.execution_units);
  });

  it('shows the log of the earlier subjob, and costs nothing', async () => {
    const workflow = await makeWorkflow(account, clock());
    const [first, second] = [await run(workflow), await run(workflow)];
    expect(await readFilePort(account.client, second.id, 'clock-1')).toBe(
      await readFilePort(account.client, first.id, 'clock-1'),
    );
    const subjob = await findNode(account.client, second.id, 'clock-1');
    expect(subjob).toMatchObject({ cached: true, exit_code: 0, cpu_ms: 0, execution_units: 0 });
    const params = { id: second.id, subjobId: subjob.id };
    const log = await account.client.download(subjobs.readLogs, { params, query: { stream: 'stderr' } });
    expect(await new Response(log.body as unknown as ReadableStream).text()).toBe('a log\n');
  });

  it('is executed in a run that bypasses the cache, and updates the cached result', async () => {
    const workflow = await makeWorkflow(account, clock());
    const first = await run(workflow);
    const bypassed = await run(workflow, { use_cache: false });
    const third = await run(workflow);
    const texts = await Promise.all(
      [first, bypassed, third].map(({ id }) => readFilePort(account.client, id, 'clock-1')),
    );
    expect(texts[1]).not.toBe(texts[0]);
    expect(texts[2]).toBe(texts[1]);
    expect([first.use_cache, bypassed.use_cache]).toEqual([undefined, false]);
  });

  it('is executed again after the run with its cached result is deleted', async () => {
    const workflow = await makeWorkflow(account, clock());
    const first = await run(workflow);
    await account.client.call(runs.deleteRun, { params: { id: first.id } });
    expect(await cachedOf(await run(workflow), 'clock-1')).toBe(false);
  });

  it('shares its result with a differently named node in another workflow of the space', async () => {
    const source = `date +%s.%N # ${randomUUID()}`;
    const make = (name: string) => makeWorkflow(account, { nodes: { [name]: script(source, { cache: true }) } });
    await run(await make('one-1'));
    expect(await cachedOf(await run(await make('other-1')), 'other-1')).toBe(true);
  });

  it('runs again if the value of a secret that it uses has changed', async () => {
    const token = recordSecret(randomUUID());
    const make = (value: string) => ({ name: 'CACHE_TOKEN', value, scope_type: 'vault' as const });
    const { id } = await account.client.call(secrets.createSecretVariable, { body: make(token) });
    const workflow = await makeWorkflow(account, {
      nodes: {
        'print-1': script('printf %s "$1"', {
          inputs: { x: { type: 'STRING', order: 1, value: '${{vars.CACHE_TOKEN}}' } },
          cache: true,
        }),
      },
    });
    await run(workflow);
    const same = await run(workflow);
    expect(await cachedOf(same, 'print-1')).toBe(true);
    expect(await readFilePort(account.client, same.id, 'print-1')).toBe('***');
    await account.client.call(secrets.updateSecretVariable, {
      params: { id },
      body: { value: recordSecret(randomUUID()) },
    });
    expect(await cachedOf(await run(workflow), 'print-1')).toBe(false);
  });
});

describe('the explanation of a cached result', () => {
  const explain = async ({ id }: Run, node: string) => {
    const params = { id, subjobId: (await findNode(account.client, id, node)).id };
    return account.client.call(cachedResults.explainCache, { params });
  };

  it('names the run whose result was reused, or the part and the input that differ', async () => {
    const workflow = await makeWorkflow(account, {
      nodes: { 'sum-1': script('cat in/*/* | md5sum', { inputs: { data: { type: 'FILE', order: 1 } }, cache: true }) },
      inputs: { 'http-input-1': { type: 'FILE', label: 'data' } },
      edges: [['http-input-1/output', 'sum-1/data']],
    });
    const path = `cache/${randomUUID()}.txt`;
    const start = async (content: string) => {
      await account.client.files.upload(path, new Blob([content]));
      return run(workflow, { inputs: { data: `millrace://file/${path}` } });
    };
    const content = randomUUID();
    const first = await start(content);
    expect(await explain(first, 'sum-1')).toMatchObject({ result: 'miss', reusable: true, runs_examined: 0 });
    const second = await start(content);
    const hit = await explain(second, 'sum-1');
    expect(hit).toMatchObject({ result: 'hit', source: { run: first.id, run_name: first.name } });
    expect(hit.parts.map(({ name }) => name)).toContain('inputs');
    const third = await start(randomUUID());
    expect(await explain(third, 'sum-1')).toMatchObject({
      result: 'miss',
      nearest: { run: second.id, different: [{ name: 'inputs' }], inputs: ['data/http-input-1'] },
    });
    const env = { MILLRACE_URL: systemUrl(), XDG_CONFIG_HOME: tmpdir(), MILLRACE_TOKEN: account.access };
    const { code, stdout } = await runCli(['cache', 'explain', third.id, 'sum-1'], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Inputs that differ: data/http-input-1')]);
    const unknown = await runCli(['cache', 'explain', third.id, 'sum-2'], { env });
    expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining('has no node "sum-2"') });
  });
});

describe('the removal of cached results', () => {
  it('lets the node run again, and is in the audit log', async () => {
    const workflow = await makeWorkflow(account, clock());
    const first = await run(workflow);
    const env = { MILLRACE_URL: systemUrl(), XDG_CONFIG_HOME: tmpdir(), MILLRACE_TOKEN: account.access };
    const misspelt = await runCli(['cache', 'clear', workflow, '--node', 'clokc-1'], { env });
    expect(misspelt).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "clock-1"?') });
    expect(await cachedOf(await run(workflow), 'clock-1')).toBe(true);
    const cleared = await runCli(['cache', 'clear', workflow, '--node', 'clock-1'], { env });
    expect(cleared).toMatchObject({ code: 0, stdout: '1 cached result removed\n' });
    expect(await cachedOf(await run(workflow), 'clock-1')).toBe(false);
    expect(await readFilePort(account.client, first.id, 'clock-1')).not.toBe('');
    const ofSpace = await account.client.call(cachedResults.clearSpaceCache, { params: { id: account.space } });
    expect(ofSpace).toMatchObject({ complete: true });
    expect(ofSpace.removed).toBeGreaterThan(0);
    await eventually(async () => {
      const query = { action: 'cache.cleared' } as const;
      const { results } = await account.client.call(auditLog.listAuditLog, { query });
      expect(results.map(({ target_type: type }) => type).sort()).toEqual(['space', 'workflow']);
    });
  });
});

describe('`use_cache: true`', () => {
  it('reuses results of all nodes', async () => {
    const workflow = await makeWorkflow(account, { nodes: { 'clock-1': script(`date +%s.%N # ${randomUUID()}`) } });
    expect(await cachedOf(await run(workflow, { use_cache: true }), 'clock-1')).toBe(false);
    expect(await cachedOf(await run(workflow), 'clock-1')).toBe(false);
    expect(await cachedOf(await run(workflow, { use_cache: true }), 'clock-1')).toBe(true);
  });

  it.each([
    ['--cache', true],
    ['--no-cache', false],
  ])('is set from the command line with %s', async (flag, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-cache-'));
    try {
      const file = join(folder, 'w.json');
      writeFileSync(file, JSON.stringify({ name: `cache ${randomUUID()}`, workflow: clock() }));
      const env = { MILLRACE_URL: systemUrl(), XDG_CONFIG_HOME: folder, MILLRACE_TOKEN: account.access };
      const { code, stdout } = await runCli(['run', file, flag, '--json'], { env });
      expect(code).toBe(0);
      const { id } = (JSON.parse(stdout) as { run: Run }).run;
      expect((await waitForEnd(account.client, id)).use_cache).toBe(expected);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
