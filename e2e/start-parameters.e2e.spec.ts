import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { dryRun, parameters, roles, runs, storage } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './support/invite.js';
import { findNode, makeWorkflow, readFilePort, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';
import { stepWithInputs } from './support/step-with-inputs.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

type Values = Record<string, Record<string, string | number | boolean | null>>;

const set = (id: string, nodes: Values) =>
  account.client.call(parameters.setParameters, { params: { id }, body: { nodes } });
const get = (id: string) => account.client.call(runs.getRun, { params: { id } });
const retry = (id: string, nodes: string[]) => account.client.call(runs.retryRun, { params: { id }, body: { nodes } });
const level = (value: string) => ({ inputs: { level: { type: 'STRING', order: 1, value } } });
const start = (id: string, body: object, who = account) => who.client.call(runs.createRun, { params: { id }, body });
const plan = (id: string, body: object, who = account) => who.client.call(dryRun.planRun, { params: { id }, body });
const count = async (id: string) =>
  (await account.client.call(runs.listWorkflowRuns, { params: { id }, query: {} })).count;

it('parameters at the start of a run hold for this run only, and for its retries', async () => {
  const id = await makeWorkflow(account, { nodes: { 'a-1': script('echo "$1"; exit 1', level('former')) } });
  const values = { 'a-1': { level: 'new' } };
  const started = await start(id, { parameters: values });
  expect(started.parameters).toEqual(values);
  await waitForEnd(account.client, started.id);
  expect((await get(started.id)).parameters).toEqual(values);
  const node = await findNode(account.client, started.id, 'a-1');
  expect([node.status, node.params['level']]).toEqual(['FAILED', 'new']);
  await retry(started.id, ['a-1']);
  await waitForEnd(account.client, started.id);
  expect((await findNode(account.client, started.id, 'a-1')).params['level']).toBe('new');
  const other = await start(id, {});
  expect(other).not.toHaveProperty('parameters');
  expect(other.workflow_version_info).toBe(started.workflow_version_info);
  await waitForEnd(account.client, other.id);
  expect((await findNode(account.client, other.id, 'a-1')).params['level']).toBe('former');
});

it('parameters at the start of a run stay in a retry with other inputs, and can be changed further', async () => {
  const id = await makeWorkflow(account, stepWithInputs);
  const { id: first, workflow_version_info } = await start(id, { parameters: { 'a-1': { level: '2', fast: true } } });
  await waitForEnd(account.client, first);
  const repeat = (body: object) => account.client.call(runs.retryRun, { params: { id: first }, body });
  const again = await repeat({ inputs: { depth: 'y' } });
  expect(again).toMatchObject({ parent_run: first, parameters: { 'a-1': { level: '2', fast: true } } });
  await waitForEnd(account.client, again.id);
  expect(await readFilePort(account.client, again.id, 'a-1')).toBe('2\n');
  expect(await repeat({ version_id: workflow_version_info })).not.toHaveProperty('parameters');
  expect(await set(first, { 'a-1': { level: '3' } })).toMatchObject({
    parameters: { 'a-1': { level: '3', fast: true } },
  });
  await retry(first, ['a-1']);
  await waitForEnd(account.client, first);
  expect((await findNode(account.client, first, 'a-1')).params).toMatchObject({ level: '3', fast: true });
});

it('parameters at the start of a run may provide what the version lacks, in a part of the workflow, too', async () => {
  const required = { inputs: { level: { type: 'STRING', order: 1, required: true } } };
  const tool = { type: 'TOOL' as const, container: { command: ['echo'] }, output_command: '>' };
  const id = await makeWorkflow(account, {
    nodes: { 'a-1': { ...tool, ...required }, 'b-1': { ...tool, ...required } },
  });
  const both = { 'a-1': { level: '1' }, 'b-1': { level: '2' } };
  expect(await plan(id, {})).toMatchObject({ can_start: false });
  expect(await plan(id, { parameters: both })).toMatchObject({ can_start: true, problems: [] });
  await expect(start(id, { parameters: { 'a-1': { level: '1' } } })).rejects.toMatchObject({
    code: 'validation_error',
    details: { 'b-1.level': expect.any(String) },
  });
  const part = { until: ['a-1'] };
  const { id: run } = await start(id, { parameters: { 'a-1': { level: '1' } }, part });
  expect((await waitForEnd(account.client, run)).status).toBe('COMPLETED');
  expect(await readFilePort(account.client, run, 'a-1')).toBe('1\n');
  await expect(start(id, { parameters: both, part })).rejects.toMatchObject({
    details: { 'body.parameters.b-1': expect.stringContaining('names no node of the run') },
  });
});

it('parameters at the start of a run may name a stored file, and an input of a module by its label', async () => {
  const path = `parameters/${randomUUID()}.txt`;
  await account.client.files.upload(path, new Blob(['stored\n']));
  const reader = script('cat in/list/*', { inputs: { list: { type: 'FILE', order: 1, value: null } } });
  const id = await makeWorkflow(account, { nodes: { 'a-1': reader } });
  const { id: run } = await start(id, { parameters: { 'a-1': { list: `millrace://file/${path}` } } });
  expect((await waitForEnd(account.client, run)).status).toBe('COMPLETED');
  expect(await readFilePort(account.client, run, 'a-1')).toBe('stored\n');
  const inner = await makeWorkflow(account, {
    inputs: { 'http-input-1': { type: 'FILE', label: 'list', value: null } },
    nodes: { 'a-1': script('cat in/http-input-1/*') },
    edges: [['http-input-1/output', 'a-1/file/http-input-1']],
  });
  const outer = await makeWorkflow(account, { nodes: { 'm-1': { type: 'WORKFLOW', workflow: inner } } });
  for (const name of ['list', 'http-input-1']) {
    const values = { 'm-1': { [name]: `millrace://file/${path}` } };
    const { id: nested } = await start(outer, { parameters: values });
    expect((await waitForEnd(account.client, nested)).status).toBe('COMPLETED');
    const missing = { 'm-1': { [name]: 'millrace://file/missing.txt' } };
    await expect(start(outer, { parameters: missing })).rejects.toMatchObject({
      details: { [`body.parameters.m-1.${name}`]: expect.stringContaining('missing.txt') },
    });
  }
});

it('parameters at the start of a run are refused by a retry with other inputs if they have become invalid', async () => {
  const path = `parameters/${randomUUID()}.txt`;
  const file = await account.client.files.upload(path, new Blob(['stored\n']));
  const id = await makeWorkflow(account, stepWithInputs);
  const { id: run } = await start(id, { parameters: { 'a-1': { list: `millrace://file/${path}` } } });
  await waitForEnd(account.client, run);
  await account.client.call(storage.deleteFile, { params: { id: file.id } });
  const body = { inputs: { depth: 'y' } };
  await expect(account.client.call(runs.retryRun, { params: { id: run }, body })).rejects.toMatchObject({
    code: 'validation_error',
    details: { 'params.id': expect.stringMatching(/can no longer be set: parameters\.a-1\.list .*Start a new run/) },
  });
});

it('parameters at the start of a run are refused with the reason by a start and a plan, and nothing is created', async () => {
  const id = await makeWorkflow(account, stepWithInputs);
  const refused: [Values, string, RegExp][] = [
    [{ 'b-1': { level: '2' } }, 'b-1', /names no node of the run \(got "b-1"\)\. Did you mean "a-1"\?/],
    [{ 'a-1': { levle: '2' } }, 'a-1.levle', /names no parameter .* Did you mean "level"\?/],
    [{ 'a-1': { depth: '2' } }, 'a-1.depth', /is connected from input "string-input-1"/],
    [{ 'a-1': { fast: 'maybe' } }, 'a-1.fast', /must be true or false/],
    [{ 'a-1': { level: null } }, 'a-1.level', /neither a value nor a connection/],
    [{ 'a-1': { list: 'millrace://file/missing.txt' } }, 'a-1.list', /missing\.txt/],
    [{ 'a-1': { list: `millrace://output/${randomUUID()}` } }, 'a-1.list', /Output/],
    [{ 'a-1': Object.fromEntries(['x', 'y', 'z'].map((name) => [name, 'x'.repeat(99_999)])) }, '', /at most 262144/],
  ];
  for (const [values, place, problem] of refused) {
    for (const request of [start, plan]) {
      await expect(request(id, { parameters: values })).rejects.toMatchObject({
        code: 'validation_error',
        details: { [['body.parameters', place].filter(Boolean).join('.')]: expect.stringMatching(problem) },
      });
    }
  }
  const undefinedVariable = { 'a-1': { level: '${{vars.NOT_DEFINED}}' } };
  await expect(start(id, { parameters: undefinedVariable })).rejects.toMatchObject({
    code: 'validation_error',
    details: { 'a-1.NOT_DEFINED': expect.stringContaining('not defined') },
  });
  expect(await plan(id, { parameters: undefinedVariable })).toMatchObject({
    problems: [{ kind: 'variable', node: 'a-1' }],
  });
  expect(await count(id)).toBe(0);
  expect(await plan(id, { parameters: { 'a-1': { level: '2' } }, inputs: { dept: 'x' } })).toMatchObject({
    problems: [{ kind: 'input', port: 'dept' }],
  });
});

it('parameters at the start of a run need the right to edit the space', async () => {
  const id = await makeWorkflow(account, stepWithInputs);
  const guest = await invite(account);
  const setRole = (role: 'execute' | 'write') =>
    account.client.call(roles.setUserSpaceRole, {
      params: { spaceId: account.space, id: guest.user },
      body: { role },
    });
  const body = { parameters: { 'a-1': { level: '2' } } };
  await setRole('execute');
  await eventually(() => start(id, {}, guest));
  for (const request of [start, plan])
    await expect(request(id, body, guest)).rejects.toMatchObject({ code: 'forbidden' });
  await setRole('write');
  await eventually(() => start(id, body, guest));
});
