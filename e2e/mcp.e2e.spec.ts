import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { auditLog, roles, runs, users } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './support/invite.js';
import { recordSecretsIn } from './support/record-secret.js';
import { REPOSITORY } from './support/repository.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
let token: string;
let client: Client;
const clients: Client[] = [];
beforeAll(async () => {
  account = await signUp();
  token = await apiToken(account);
  client = await connect(token);
});
afterAll(() => Promise.all(clients.map((one) => one.close())));

async function apiToken(of: Account): Promise<string> {
  const regenerated = await of.client.call(users.regenerateToken);
  recordSecretsIn(regenerated);
  return regenerated.token;
}

async function connect(credential: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const connected = new Client({ name: 'e2e', version: '1.0' }, { versionNegotiation: { mode } });
  const scheme = credential.includes('.') ? 'Bearer' : 'Token';
  const requestInit = { headers: { authorization: `${scheme} ${credential}` } };
  await connected.connect(new StreamableHTTPClientTransport(new URL(`${account.url}/mcp`), { requestInit }));
  clients.push(connected);
  return connected;
}

type Record_ = Record<string, unknown>;

/** Calls a tool, which must succeed. The client checks the result against the output schema. */
async function use<T = Record_>(name: string, args: Record_ = {}, by = client): Promise<T> {
  const result = await by.callTool({ name, arguments: args });
  if (result.isError) throw new Error(textOf(result));
  return result.structuredContent as T;
}

const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');

interface Saved {
  created: boolean;
  workflow_id: string;
  version_id: string;
  errors: { code: string; line?: number; message: string; hint?: string }[];
}
interface Ended {
  run: { id: string; status: string; finished: boolean };
  outputs: { id: string; label: string }[];
  failures: { node: string }[];
  next_step: string;
}

const PIPELINE = `name: Ports
data:
  nodes:
    hosts-1:
      type: SCRIPT
      script: { source: "printf '%s\\\\n' b.example.org a.example.org" }
    rows-1:
      type: SCRIPT
      meta: { label: found ports }
      script:
        source: sort in/hosts-1/* | sed 's/.*/{"host":"&","port":443}/'
  connections:
    - { from: hosts-1/file, to: row-1/file }
`;

describe('by tools alone, a model', () => {
  let workflow: string;
  let version: string;
  let table: string;
  let ended: Ended;

  it('gets the problems of a workflow with their lines, and fixes them', async () => {
    const { results } = await use<{ results: { id: string }[] }>('list_spaces');
    const space_id = results[0]!.id;
    const refused = await use<Saved>('create_workflow', { space_id, yaml: PIPELINE });
    expect(refused).toMatchObject({ created: false, errors: [{ code: 'unknown_node', line: 13 }] });
    expect(refused.errors[0]?.hint).toContain('rows-1');
    const fixed = PIPELINE.replace('row-1/file', 'rows-1/file');
    const checked = await use<Saved>('validate_workflow', { space_id, yaml: fixed });
    expect(checked.errors).toEqual([]);
    const broken = await use<Saved>('validate_workflow', { space_id, yaml: 'a: [' });
    expect(broken.errors).toMatchObject([{ code: 'invalid_file', line: 1 }]);
    const misused = PIPELINE.replace('type: SCRIPT', 'uses: no-such-module');
    const { errors } = await use<Saved>('validate_workflow', { space_id, yaml: misused });
    expect(errors[0]).toMatchObject({
      code: 'unknown_library_module',
      hint: expect.stringContaining('`search_library`'),
    });
    const created = await use<Saved>('create_workflow', { space_id, yaml: fixed });
    expect(created).toMatchObject({ created: true, errors: [] });
    [workflow, version] = [created.workflow_id, created.version_id];
  });

  it('learns how many problems a long list leaves out', async () => {
    const nodes = Array.from({ length: 1_500 }, (_, index) => `    n-${index}: { uses: none-${index} }\n`);
    const text = `name: Many\ndata:\n  nodes:\n${nodes.join('')}`;
    const checked = await use('validate_workflow', { space_id: account.space, yaml: text });
    const shown = (checked['errors'] as unknown[]).length;
    expect(shown).toBeGreaterThan(100);
    expect((checked['omitted'] as { errors: number }).errors).toBeGreaterThanOrEqual(1_500 - shown);
  });

  it('can create and run the example that the tools show', async () => {
    const { tools } = await client.listTools();
    const { properties } = tools.find(({ name }) => name === 'create_workflow')!.inputSchema;
    const { description } = properties!['yaml'] as { description: string };
    const yaml = /for example: `([^`]+)`/.exec(description)![1];
    const example = await use<Saved>('create_workflow', { space_id: account.space, yaml });
    expect(example).toMatchObject({ created: true, errors: [], warnings: [] });
    const { run, outputs: made } = await use<Ended>('run_workflow', { workflow_id: example.workflow_id, name: null });
    expect(run.status).toBe('COMPLETED');
    const sorted = made.find(({ label }) => label === 'sort')!;
    expect(await use('read_output', { output_id: sorted.id })).toMatchObject({ text: 'a\nb\n' });
  });

  it('reads the workflow, changes it, and learns of a conflict', async () => {
    const read = await use<{ yaml: string; version_id: string }>('read_workflow', { workflow_id: workflow });
    expect(read.version_id).toBe(version);
    expect(read.yaml).toContain('- { from: hosts-1/file, to: rows-1/file }');
    const changed = { workflow_id: workflow, yaml: read.yaml.replace('443', '8443'), expected_version_id: version };
    const saved = await use('save_workflow', changed);
    expect(saved).toMatchObject({ saved: true, version_number: 2, errors: [] });
    const late = await use('save_workflow', { ...changed, yaml: read.yaml.replace('443', '80') });
    expect(late).toMatchObject({ saved: false, conflict: { latest_version_id: saved['version_id'] } });
    const broken = { ...changed, yaml: 'a: [', expected_version_id: saved['version_id'] };
    expect(await use('save_workflow', broken)).toMatchObject({
      saved: false,
      errors: [{ code: 'invalid_file', line: 1 }],
    });
  });

  it('runs it with progress, and reads its result', async () => {
    const solution = await use<{ id: string }>('create_solution', { name: 'Ports', space_id: account.space });
    table = (
      await use<{ id: string }>('create_table', { name: 'ports', solution_id: solution.id, primary_key: ['host'] })
    ).id;
    await use('fill_table', { workflow_id: workflow, node: 'rows-1', table_id: table });
    const progress: number[] = [];
    const messages: unknown[] = [];
    const result = await client.callTool(
      { name: 'run_workflow', arguments: { workflow_id: workflow } },
      {
        onprogress: ({ progress: done, message }) => {
          progress.push(done);
          messages.push(message);
        },
        timeout: 120_000,
      },
    );
    ended = result.structuredContent as Ended;
    expect(ended.run).toMatchObject({ status: 'COMPLETED', finished: true });
    expect(progress.length).toBeGreaterThan(0);
    expect(messages[0]).toContain(`Run ${ended.run.id} `);
    expect(progress).toEqual([...progress].toSorted((a, b) => a - b));
    const output = ended.outputs.find(({ label }) => label === 'found ports')!;
    const { text, next_offset } = await use('read_output', { output_id: output.id });
    expect([text, next_offset]).toEqual([
      '{"host":"a.example.org","port":8443}\n{"host":"b.example.org","port":8443}\n',
      null,
    ]);
    expect(result.content).toContainEqual(
      expect.objectContaining({ type: 'resource_link', uri: `millrace://output/${output.id}` }),
    );
  });

  it('queries the table', async () => {
    await eventually(async () => {
      const { results: loads } = await use<{ results: object[] }>('list_run_loads', { run_id: Number(ended.run.id) });
      expect(loads).toMatchObject([{ dataset: table, status: 'COMPLETED', rows_new: 2, rows_rejected: 0 }]);
    });
    const page = await use('query_table', { table_id: table, q: 'port = 8443', order: 'host', select: 'host' });
    expect([page['count'], page['results']]).toMatchObject([2, [{ host: 'a.example.org' }, { host: 'b.example.org' }]]);
    const changes = await use('list_table_changes', { table_id: table });
    expect(changes).toMatchObject({ counts: { new: 2, changed: 0, gone: 0 }, run: ended.run.id });
    const wrong = await client.callTool({ name: 'query_table', arguments: { table_id: table, q: 'prot = 1' } });
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('validation_error')]);
  });

  it('reads runs, outputs, logs, workflows and schemas as resources', async () => {
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string };
    expect((await read(`millrace://workflows/${workflow}`)).text).toContain('name: Ports');
    expect(JSON.parse((await read(`millrace://runs/${ended.run.id}`)).text)).toMatchObject({ status: 'COMPLETED' });
    expect(JSON.parse((await read(`millrace://tables/${table}`)).text)).toMatchObject({ primary_key: ['host'] });
    expect((await read(`millrace://output/${ended.outputs[0]!.id}?offset=2&length=4`)).text).toBe('host');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining([`millrace://workflows/${workflow}`, `millrace://tables/${table}`]),
    );
    await expect(read('millrace://output/unknown')).rejects.toThrow(/not exist|not found/i);
  });
});

describe('a long log or output', () => {
  let run: string;
  let output: string;
  beforeAll(async () => {
    const source = 'seq 100000; echo "Error: disk" >&2; exit 3';
    const nodes = { 'long-1': script('seq 300000'), 'bad-1': script(source) };
    const workflow_id = await makeWorkflow(account, { nodes });
    const ended = await use<Ended>('run_workflow', { workflow_id, wait_seconds: 0 });
    expect(ended.next_step).toContain('wait_for_run');
    run = ended.run.id;
    await waitForEnd(account.client, run);
    const described = await use<Ended>('wait_for_run', { run_id: run });
    expect(described.failures).toMatchObject([{ node: 'bad-1' }]);
    output = described.outputs.find(({ label }) => label === 'long')!.id;
  });

  it('is read in parts that together are complete', async () => {
    let whole = '';
    for (let offset: number | null = 0; offset !== null;) {
      const part: { text: string; next_offset: number | null } = await use('read_output', {
        output_id: output,
        offset,
        max_bytes: 60_000,
      });
      whole += part.text;
      offset = part.next_offset;
    }
    expect(whole).toBe(`${Array.from({ length: 300_000 }, (_, index) => index + 1).join('\n')}\n`);
    await expect(client.readResource({ uri: `millrace://output/${output}` })).rejects.toThrow(/in parts, such as/);
  });

  it('can be searched, and shows its end', async () => {
    const args = { run_id: run, node: 'bad-1' };
    expect(await use('read_log', { ...args, stream: 'stderr' })).toMatchObject({
      text: 'Error: disk\n',
      is_complete: true,
    });
    expect(await use('read_log', { ...args, tail: 2 })).toMatchObject({
      text: '99999\n100000\n',
      omitted: expect.stringContaining('earlier'),
    });
    const found = await use('read_log', { ...args, grep: '77777', context: 1 });
    expect(found).toMatchObject({ text: '77776: 77776\n77777: 77777\n77778: 77778', next_line: null });
    const part = await use<{ next_offset: number }>('read_log', { ...args, offset: 0 });
    expect(await use('read_log', { ...args, offset: part.next_offset })).toMatchObject({ is_complete: false });
    const wrong = await client.callTool({ name: 'read_log', arguments: { ...args, tail: 1, grep: 'x' } });
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('excludes')]);
  });
});

describe('a part of a run', () => {
  it('is stopped, and the other parts go on', async () => {
    const nodes = {
      'list-1': script('printf "600\\n0.1\\n600\\n"'),
      'wait-1': script('sleep $1', {
        inputs: { seconds: { type: 'STRING', order: 1 } },
        distribution: { input: 'seconds', mode: 'line' },
      }),
      'slow-1': script('sleep 600'),
    };
    const workflow_id = await makeWorkflow(account, { nodes, edges: [['list-1/file', 'wait-1/seconds']] });
    const { run } = await use<Ended>('run_workflow', { workflow_id, wait_seconds: 0 });
    const args = { run_id: run.id, node: 'wait-1' };
    await eventually(() => use('stop_subjob', { ...args, task_index: 1 }));
    await use('stop_subjob', { run_id: run.id, node: 'slow-1' });
    await eventually(async () => {
      const { results } = await use<{ results: { id: string; node: string; status: string }[] }>('list_subjobs', {
        run_id: run.id,
      });
      const group = results.find(({ node }) => node === 'wait-1')!;
      const children = await use<{ results: object[] }>('list_subjobs', { run_id: run.id, parent_id: group.id });
      // Other suites use the worker as well, so the last child may have to wait.
      const unfinished = expect.stringMatching(/^(PENDING|RUNNING)$/);
      expect(children.results).toMatchObject([{ status: 'STOPPED' }, { status: 'SUCCEEDED' }, { status: unfinished }]);
      expect(results.find(({ node }) => node === 'slow-1')).toMatchObject({ status: 'STOPPED' });
    });
    const { results } = await use<{ results: { id: string }[] }>('list_subjobs', { run_id: run.id, node: 'wait-1' });
    const refuse = async (wrong: Record_) => textOf(await client.callTool({ name: 'stop_subjob', arguments: wrong }));
    expect(await refuse({ ...args, task_index: 9 })).toContain('has no child 9; it has 3');
    expect(await refuse({ ...args, node: 'wait' })).toContain('has no node');
    expect(await refuse({ ...args, subjob_id: results.at(-1)!.id })).toContain('not both');
    expect(await refuse({ run_id: run.id, node: 'slow-1', task_index: 1 })).toContain('is not split');
    // All children of the node that are left.
    await use('stop_subjob', args);
    expect((await waitForEnd(account.client, run.id)).status).not.toBe('COMPLETED');
  });
});

describe.each(['auto', 'legacy'] as const)('a cancelled call (%s)', (mode) => {
  it('ends, and the run goes on', async () => {
    const other = await connect(token, mode);
    const workflow_id = await makeWorkflow(account, { nodes: { 'slow-1': script('sleep 4; echo done') } });
    const cancel = new AbortController();
    const call = other.callTool(
      { name: 'run_workflow', arguments: { workflow_id } },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await expect(call).rejects.toThrow();
    const { results } = await account.client.call(runs.listWorkflowRuns, { params: { id: workflow_id } });
    expect((await waitForEnd(account.client, results[0]!.id)).status).toBe('COMPLETED');
  });
});

it('a guest gets the refusals that the REST API has for them', async () => {
  const guest = await invite(account);
  await account.client.call(roles.setUserSpaceRole, {
    params: { spaceId: account.space, id: guest.user },
    body: { role: 'read' },
  });
  const workflow_id = await makeWorkflow(account, { nodes: { 'a-1': script('true') } });
  const asGuest = await connect(await apiToken(guest));
  await eventually(() => use('read_workflow', { workflow_id }, asGuest));
  const refused = await asGuest.callTool({ name: 'run_workflow', arguments: { workflow_id } });
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('"forbidden"')]);
  const stranger = await connect(await apiToken(await signUp()));
  const hidden = await stranger.callTool({ name: 'read_workflow', arguments: { workflow_id } });
  expect([hidden.isError, textOf(hidden)]).toEqual([true, expect.stringContaining('"not_found"')]);
});

it('a run whose waiting fails is named, so that it is not started again', async () => {
  const other = await signUp();
  const revoked = await connect(await apiToken(other));
  const workflow_id = await makeWorkflow(other, { nodes: { 'slow-1': script('sleep 5') } });
  const failed = await revoked.callTool(
    { name: 'run_workflow', arguments: { workflow_id } },
    { onprogress: () => void apiToken(other) },
  );
  expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringMatching(/Run \d+ was started.*connect again/)]);
});

it('a session JWT is accepted as well', async () => {
  expect(await use('list_spaces', {}, await connect(account.access))).toMatchObject({ count: 1 });
});

it('commands run in a sandbox, and their files remain', async () => {
  const first = await use('run_sandbox_command', { command: 'echo hello > file; echo out; echo bad >&2; exit 3' });
  expect(first).toMatchObject({
    stdout: { text: 'out\n', omitted_characters: 0 },
    stderr: { text: 'bad\n' },
    exit: { code: 3 },
  });
  const second = await use('run_sandbox_command', { command: 'cat file; seq 20000' });
  expect(second['stdout']).toMatchObject({
    text: expect.stringMatching(/^hello\n1\n/),
    omitted_characters: expect.any(Number),
  });
  expect((second['stdout'] as { omitted_characters: number }).omitted_characters).toBeGreaterThan(0);
  const { results } = await use<{ results: unknown[] }>('list_sandbox_files', { session_id: first['session_id'] });
  expect(results).toMatchObject([{ path: 'file' }]);
  expect(await use('stop_sandbox', { session_id: first['session_id'] })).toMatchObject({ success: true });
});

it('the audit log names the client', async () => {
  const workflow_id = await makeWorkflow(account, { nodes: { 'a-1': script('true') } });
  await use('set_schedule', { workflow_id, cron: '0 0 1 1 *' });
  await use('delete_schedule', { workflow_id });
  await eventually(async () => {
    const query = { action: 'schedule.deleted' as const };
    const { results } = await account.client.call(auditLog.listAuditLog, { query });
    expect(results[0]).toMatchObject({ target_id: workflow_id, agent: 'millrace-mcp (e2e 1.0)' });
  });
});

it.each(['auto', 'legacy'] as const)('`millrace mcp` serves the same over stdio (%s)', async (mode) => {
  const local = new Client({ name: 'e2e stdio', version: '1.0' }, { versionNegotiation: { mode } });
  const env = { MILLRACE_URL: account.url, MILLRACE_TOKEN: token, PATH: process.env.PATH ?? '' };
  const args = [`${REPOSITORY}apps/cli/bin/millrace.mjs`, 'mcp'];
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
  await local.connect(transport);
  clients.push(local);
  const names = async (of: Client) => (await of.listTools()).tools.map(({ name }) => name);
  expect(await names(local)).toEqual(await names(client));
  expect(await use('list_spaces', {}, local)).toMatchObject({ count: 1 });
  const workflow_id = await makeWorkflow(account, { nodes: { 'a-1': script('echo hello') } });
  expect(await use<Ended>('run_workflow', { workflow_id }, local)).toMatchObject({ run: { status: 'COMPLETED' } });
});
