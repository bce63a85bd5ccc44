import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { auditLog, parameters, roles, runs, secrets, subjobs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './support/invite.js';
import { runCli } from './support/run-cli.js';
import {
  findNode,
  listChildren,
  readFilePort,
  runToEnd,
  script,
  startRun,
  waitForEnd,
  waitForStart,
  type Draft,
} from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';
import { stepWithInputs } from './support/step-with-inputs.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

type Values = Record<string, Record<string, string | number | boolean | null>>;

const set = (id: string, nodes: Values, who = account) =>
  who.client.call(parameters.setParameters, { params: { id }, body: { nodes } });
const get = (id: string) => account.client.call(runs.getRun, { params: { id } });
const retry = (id: string, nodes: string[]) => account.client.call(runs.retryRun, { params: { id }, body: { nodes } });
const level = (value: string) => ({ inputs: { level: { type: 'STRING', order: 1, value } } });

/** One worker executes both steps in a row; the first one takes time. */
const chain: Draft = {
  nodes: {
    'slow-1': script('sleep 2; echo slow "$1"', level('former')),
    'next-1': script('echo next "$1"', level('former')),
  },
  edges: [['slow-1/file', 'next-1/file/slow-1']],
};

const CHILDREN = 12;
const children: Draft = {
  nodes: {
    'items-1': script(`seq ${CHILDREN}`),
    'each-1': script('sleep 2; echo "$1 $2"', {
      inputs: { item: { type: 'STRING', order: 1 }, level: { type: 'STRING', order: 2, value: 'former' } },
      distribution: { input: 'item', mode: 'line' },
    }),
    'all-1': script('cat in/each-1/*/output.txt'),
  },
  edges: [
    ['items-1/file', 'each-1/item'],
    ['each-1/folder', 'all-1/folder'],
  ],
};

describe('parameters of a run under way', () => {
  it('reach a later step of the chain that a worker is executing, and not the step that has started', async () => {
    const { id } = await startRun(account, chain);
    await waitForStart(account.client, id, 'slow-1');
    const changed = { 'slow-1': { level: 'new' }, 'next-1': { level: 'new' } };
    expect(await set(id, changed)).toMatchObject({ id, parameters: changed });
    expect((await waitForEnd(account.client, id)).status).toBe('COMPLETED');
    expect(await readFilePort(account.client, id, 'slow-1')).toBe('slow former\n');
    expect(await readFilePort(account.client, id, 'next-1')).toBe('next new\n');
    expect((await findNode(account.client, id, 'slow-1')).params).toMatchObject({ level: 'former' });
    expect((await findNode(account.client, id, 'next-1')).params).toMatchObject({ level: 'new' });
    expect((await get(id)).parameters).toEqual(changed);
    await retry(id, ['slow-1']);
    await waitForEnd(account.client, id);
    expect(await readFilePort(account.client, id, 'slow-1')).toBe('slow new\n');
  });

  it('reach the children that have not started, and each child has the values that it ran with', async () => {
    const { id } = await startRun(account, children);
    await eventually(async () => expect((await get(id)).run_insights.succeeded).toBeGreaterThanOrEqual(2), {
      withinMs: 60_000,
    });
    await set(id, { 'each-1': { level: 'new' } });
    expect((await waitForEnd(account.client, id)).run_insights.succeeded).toBe(CHILDREN + 2);
    const group = await findNode(account.client, id, 'each-1');
    const ran = await listChildren(account.client, id, group.id);
    const used = ran.map(({ task_index, params }) => [task_index, params['level']]);
    const lines = (await readFilePort(account.client, id, 'all-1')).trim().split('\n');
    expect(lines.map((line) => line.split(' ')[1]).sort()).toEqual(used.map(([, value]) => value).sort());
    expect(new Set(used.map(([, value]) => value))).toEqual(new Set(['former', 'new']));
  });
});

describe('parameters of a run that has ended', () => {
  it('apply to a retry, whose cache key differs', async () => {
    const cached = { ...level('1'), cache: true };
    const { id } = await runToEnd(account, { nodes: { 'a-1': script('echo level "$1"', cached) } });
    await set(id, { 'a-1': { level: 2 } });
    await retry(id, ['a-1']);
    await waitForEnd(account.client, id);
    expect(await readFilePort(account.client, id, 'a-1')).toBe('level 2\n');
    expect((await findNode(account.client, id, 'a-1')).cached).toBe(false);
    await set(id, { 'a-1': { level: '1' } });
    await retry(id, ['a-1']);
    await waitForEnd(account.client, id);
    expect(await readFilePort(account.client, id, 'a-1')).toBe('level 1\n');
    expect((await findNode(account.client, id, 'a-1')).cached).toBe(true);
  });

  it('may name a stored file, and a secret variable that the run did not use before', async () => {
    const draft = {
      nodes: {
        'a-1': script('cat in/list/*; test "$1" = "opensesame"', {
          inputs: {
            list: { type: 'FILE', order: 1, value: 'millrace://file/parameters/first.txt' },
            token: { type: 'STRING', order: 2, value: 'none' },
          },
        }),
      },
    };
    await account.client.files.upload('parameters/first.txt', new Blob(['first\n']));
    await account.client.files.upload('parameters/second.txt', new Blob(['second\n']));
    const ended = await runToEnd(account, draft);
    expect(ended.status).toBe('FAILED');
    const { id } = ended;
    const name = `TOKEN_${randomUUID().replaceAll('-', '')}`;
    const values = { list: 'millrace://file/parameters/second.txt', token: `\${{vars.${name}}}` };
    await expect(set(id, { 'a-1': values })).rejects.toMatchObject({
      code: 'validation_error',
      details: { [`a-1.${name}`]: expect.stringContaining('not defined') },
    });
    const body = { name, value: 'opensesame', scope_type: 'space' as const, space: account.space };
    await account.client.call(secrets.createSecretVariable, { body });
    await set(id, { 'a-1': values });
    await retry(id, ['a-1']);
    expect((await waitForEnd(account.client, id)).status).toBe('COMPLETED');
    expect(await readFilePort(account.client, id, 'a-1')).toBe('second\n');
    expect((await findNode(account.client, id, 'a-1')).params['token']).toBe('***');
  });
});

describe('parameters that cannot be set', () => {
  it('are refused with the reason, and nothing changes', async () => {
    const { id } = await runToEnd(account, stepWithInputs);
    const refused: [Values, string, RegExp][] = [
      [{ 'b-1': { level: '2' } }, 'body.nodes.b-1', /names no node of the run \(got "b-1"\)\. Did you mean "a-1"\?/],
      [{ 'a-1': { levle: '2' } }, 'body.nodes.a-1.levle', /names no parameter .* Did you mean "level"\?/],
      [{ 'a-1': { depth: '2' } }, 'body.nodes.a-1.depth', /is connected from input "string-input-1"/],
      [{ 'a-1': { fast: 'maybe' } }, 'body.nodes.a-1.fast', /must be true or false/],
      [{ 'a-1': { level: null } }, 'body.nodes.a-1.level', /neither a value nor a connection/],
      [{ 'a-1': { list: 'https://example.org/a' } }, 'body.nodes.a-1.list', /must be a stored file/],
      [{ 'a-1': { list: 'millrace://file/missing.txt' } }, 'body.nodes.a-1.list', /missing\.txt/],
      [{}, 'body.nodes', /must not be empty/],
      [{ 'a-1': {} }, 'body.nodes.a-1', /must not be empty/],
      [{ 'a-1': { level: 'x'.repeat(100_001) } }, 'body.nodes.a-1.level', /at most 100000/],
    ];
    for (const [values, place, problem] of refused) {
      await expect(set(id, { ...values })).rejects.toMatchObject({
        code: 'validation_error',
        details: { [place]: expect.stringMatching(problem) },
      });
    }
    expect((await get(id)).parameters).toBeUndefined();
  });

  it('need the right to edit the space, and the variables of another user stay theirs', async () => {
    const { id } = await runToEnd(account, stepWithInputs);
    const guest = await invite(account);
    const setRole = (role: 'execute' | 'write') =>
      account.client.call(roles.setUserSpaceRole, {
        params: { spaceId: account.space, id: guest.user },
        body: { role },
      });
    await setRole('execute');
    await eventually(() =>
      expect(set(id, { 'a-1': { level: '2' } }, guest)).rejects.toMatchObject({ code: 'forbidden' }),
    );
    await setRole('write');
    await eventually(() => set(id, { 'a-1': { level: '2' } }, guest));
    const name = `OWN_${randomUUID().replaceAll('-', '')}`;
    await account.client.call(secrets.createSecretVariable, { body: { name, value: 'mine', scope_type: 'user' } });
    const values = { 'a-1': { level: `\${{vars.${name}}}` } };
    await expect(set(id, values, guest)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await get(id)).parameters).toEqual({ 'a-1': { level: '2' } });
    await set(id, values);
    await expect(set(id, { 'a-1': { fast: true } }, guest)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('the command `set`', () => {
  it('changes parameters, and the audit log names them without their values', async () => {
    const { id } = await runToEnd(account, { nodes: { 'a-1': script('echo "$1"', level('1')) } });
    const env = { MILLRACE_URL: account.url, MILLRACE_TOKEN: account.access };
    const done = await runCli(['set', id, 'a-1', 'level=a=b'], { env });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toBe(`Run ${id}: level of a-1 changed for everything that has not started\n`);
    expect((await get(id)).parameters).toEqual({ 'a-1': { level: 'a=b' } });
    const refused = await runCli(['set', id, 'a-1', 'levle=2'], { env });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Did you mean "level"?');
    await eventually(async () => {
      const { results } = await account.client.call(auditLog.listAuditLog, { query: {} });
      const entry = results.find(({ action, target_id }) => action === 'run.parameters_changed' && target_id === id);
      expect(entry?.details).toEqual({ parameters: ['a-1.level'] });
    });
  });
});

it('concurrent changes of one run all take effect', async () => {
  const nodes = Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`n-${n}`, script('echo "$1"', level('1'))]));
  const { id } = await runToEnd(account, { nodes });
  await Promise.all(Object.keys(nodes).map((node) => set(id, { [node]: { level: node } })));
  expect((await get(id)).parameters).toEqual(
    Object.fromEntries(Object.keys(nodes).map((node) => [node, { level: node }])),
  );
  await retry(id, Object.keys(nodes));
  await waitForEnd(account.client, id);
  const { results } = await account.client.call(subjobs.listSubjobs, { params: { id } });
  expect(results.map(({ node, params }) => [node, params['level']]).sort()).toEqual(
    Object.keys(nodes).map((node) => [node, node]),
  );
});
