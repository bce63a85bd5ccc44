import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { auditLog, outputs, runs, secrets, subjobs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { recordSecret } from './support/record-secret.js';
import { REPOSITORY } from './support/repository.js';
import { findNode, listOutputs, makeWorkflow, script, startRun, waitForEnd } from './support/run-workflow.js';
import { searchStores } from './support/search-stores.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

const run = promisify(execFile);
const FOLDER = process.env.TEST_DATA_DIR ?? '';
const TOKEN = recordSecret(`tök/en+${randomUUID()}`);
const BASE64 = recordSecret(Buffer.from(TOKEN).toString('base64'));
const HEX = recordSecret(Buffer.from(TOKEN).toString('hex'));
const HALF = TOKEN.slice(0, 20);
const CLEAR = [TOKEN, BASE64, HEX, encodeURIComponent(TOKEN), HALF];

let account: Account;
beforeAll(async () => {
  account = await signUp();
  await set('TOKEN', TOKEN);
});

const set = (name: string, value: string, scope_type: 'vault' | 'user' = 'vault') =>
  account.client.call(secrets.createSecretVariable, { body: { name, value, scope_type } });

const rotate = (...more: string[]) =>
  run(process.execPath, [join(REPOSITORY, 'scripts/secrets-rotate.mjs'), ...more], {
    env: { PATH: process.env.PATH, MILLRACE_DATA_DIR: FOLDER },
  });

const HASH = createHash('sha256').update(TOKEN).digest('hex');
const token = { token: { type: 'STRING', order: 1, value: '${{vars.TOKEN}}' } };

/**
 * The first node prints the secret in several encodings, and in two halves with a pause. It also writes the secret to a
 * file, with which the second node checks that the value is correct.
 */
const draft = {
  nodes: {
    'print-1': {
      ...script(''),
      inputs: token,
      script: {
        environment: { KEY: '${{vars.TOKEN}}' },
        source: `echo "plain $1"; echo "env $KEY"; printf %s "$1" | base64 -w 11; printf %s "$1" | od -An -tx1 | tr -d ' \\n'; echo
       printf %s "\${1:0:20}"; sleep 1.5; printf '%s\\n' "\${1:20}"; echo "error $1" >&2
       printf %s "$1" >out/output.txt; printf '{"a":"%s"}' "$1" >out/data.json`,
      },
    },
    'check-1': script(
      `[ "$(sha256sum <in/print-1/output.txt | cut -c1-64)" = ${HASH} ] || exit 9; cat in/print-1/output.txt; echo; base64 in/print-1/output.txt`,
    ),
    'fail-1': script('echo "went wrong: $1" >&2; exit 4', { inputs: token }),
  },
  edges: [['print-1/file', 'check-1/file']] as [string, string][],
};

/** Every response of the API about a run, in one text. */
async function readEverything(id: string): Promise<string> {
  const { client } = account;
  const texts: unknown[] = [await client.call(runs.getRun, { params: { id } })];
  for await (const event of client.runs.events(id)) texts.push(event);
  const { results } = await client.call(subjobs.listSubjobs, { params: { id } });
  for (const { id: subjobId } of results) {
    texts.push(await client.call(subjobs.getSubjob, { params: { id, subjobId } }));
    texts.push(await readLog(id, subjobId, 'stdout'), await readLog(id, subjobId, 'stderr'));
  }
  for (const output of [...(await listOutputs(client, id, 'print-1')), ...(await listOutputs(client, id, 'check-1'))]) {
    const params = { id: output.id };
    const { url } = await client.call(outputs.signOutput, { params });
    const contents = [
      await (await fetch(url)).text(),
      (await rawRequest(account, 'GET', `/api/outputs/${output.id}/download`)).body,
    ];
    texts.push(output, contents);
  }
  return texts.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
}

async function readLog(id: string, subjob: string, stream: string, follow = false): Promise<string> {
  const path = `/api/runs/${id}/subjobs/${subjob}/logs?stream=${stream}&follow=${String(follow)}`;
  const response = await fetch(`${account.url}${path}`, { headers: { authorization: `Bearer ${account.access}` } });
  return response.text();
}

const expectNoSecretIn = (text: string) => {
  for (const secret of CLEAR) expect(text).not.toContain(secret);
};

describe('a secret variable in a run', () => {
  it('is visible to the steps and to no user', async () => {
    const { client } = account;
    const { id } = await startRun(account, draft);
    const subjob = await waitForNode(id, 'print-1');
    const followed = readLog(id, subjob, 'stdout', true);
    expect(await searchStores(FOLDER, CLEAR)).toEqual([]);
    const ended = await waitForEnd(client, id);
    expect(await findNode(client, id, 'check-1')).toMatchObject({ status: 'SUCCEEDED' });
    expect(await findNode(client, id, 'fail-1')).toMatchObject({
      status: 'FAILED',
      message: 'exit code 4: went wrong: ***',
      params: { token: '***' },
    });
    expect(ended.status).toBe('FAILED');
    const log = await readLog(id, subjob, 'stdout');
    expect(log).toBe('plain ***\nenv ***\n***\n***\n***\n');
    expect(await followed).toBe(log);
    const all = await readEverything(id);
    expect(all).toContain('{\\"a\\":\\"***\\"}');
    expectNoSecretIn(all);
    expect(await searchStores(FOLDER, CLEAR)).toEqual([]);
  });

  it('stays hidden if an output is the input of another run', async () => {
    const { client } = account;
    const { id } = await startRun(account, draft);
    await waitForEnd(client, id);
    const output = (await listOutputs(client, id, 'print-1')).find(({ path }) => path === 'output.txt');
    const reader = {
      nodes: { 'read-1': script('cat in/*/*') },
      inputs: { p: { type: 'FILE', label: 'p' } },
      edges: [['p', 'read-1/file']] as [string, string][],
    };
    const second = await startRun(account, reader, { p: `millrace://output/${output?.id}` });
    await waitForEnd(client, second.id);
    const { id: subjob } = await findNode(client, second.id, 'read-1');
    expect(await readLog(second.id, subjob, 'stdout')).toBe('***');
  });

  it('is not available to a user who may only run a workflow', async () => {
    const { client } = account;
    const echo = {
      nodes: { 'echo-1': script('printf %s "$1" | wc -c', { inputs: { x: { type: 'STRING', order: 1 } } }) },
      inputs: { p: { type: 'STRING', label: 'p', value: '' } },
      edges: [['p', 'echo-1/x']] as [string, string][],
    };
    const { id } = await startRun(account, echo, { p: '${{vars.TOKEN}}' });
    await waitForEnd(client, id);
    const { id: subjob } = await findNode(client, id, 'echo-1');
    expect(await readLog(id, subjob, 'stdout')).toBe('15\n');
  });

  it('that is not defined rejects the run before it starts, unless the run replaces the default that names it', async () => {
    const { client } = account;
    const text = (value: string, order = 0) => ({ type: 'STRING', order, value });
    const id = await makeWorkflow(account, {
      nodes: {
        'good-1': script('test "$1" = "$2" || exit 3', {
          inputs: { a: text('${{vars.USER_ID}}', 1), b: text(account.user, 2), c: { type: 'STRING', order: 3 } },
        }),
      },
      inputs: { p: { type: 'STRING', label: 'p', value: '${{vars.NOPE}}' } },
      edges: [['p', 'good-1/c']],
    });
    const start = (inputs: Record<string, string>) => client.call(runs.createRun, { params: { id }, body: { inputs } });
    await expect(start({})).rejects.toMatchObject({
      ...{ status: 400, code: 'validation_error' },
      details: { 'p.NOPE': expect.stringContaining('Add it to the secret variables') },
    });
    expect((await client.call(runs.listWorkflowRuns, { params: { id } })).count).toBe(0);
    const run = await start({ p: 'x' });
    expect(await waitForEnd(client, run.id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('would be found by the search if it were stored unencrypted', async () => {
    const { id } = await startRun(account, { nodes: { 'a-1': script('echo "seen in clear" >&2; exit 4') } });
    await waitForEnd(account.client, id);
    expect(await searchStores(FOLDER, ['seen in clear'])).toContain('runs.subjob');
  });

  it('is in the audit log by name', async () => {
    const { results } = await account.client.call(auditLog.listAuditLog, {
      query: { action: 'secret_variable.created' },
    });
    expect(results).toEqual([expect.objectContaining({ target_name: 'TOKEN', details: { scope: 'vault' } })]);
    expectNoSecretIn(JSON.stringify(results));
  });

  it('keeps its value while keys are rotated', async () => {
    const { client } = account;
    const id = await makeWorkflow(account, draft);
    const started = [];
    for (const more of [[], ['--data-keys'], []]) {
      started.push(await client.call(runs.createRun, { params: { id }, body: {} }));
      await rotate(...more);
      await set(`LATER_${started.length}`, recordSecret(`later ${randomUUID()}`), 'user');
    }
    for (const { id: one } of started) {
      await waitForEnd(client, one);
      expect(await findNode(client, one, 'check-1')).toMatchObject({ status: 'SUCCEEDED' });
    }
  });
});

const waitForNode = (id: string, node: string): Promise<string> =>
  eventually(async () => {
    const subjob = await findNode(account.client, id, node);
    expect(subjob.status).not.toBe('PENDING');
    return subjob.id;
  });
