import { mkdirSync, writeFileSync } from 'node:fs';
import { type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { MillraceError } from '@millrace/client';
import { dryRun, runs, secrets, subjobs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { serveHttp } from '@millrace/testkit/serve-http';
import { serveRepository, type ServedRepository } from '@millrace/testkit/serve-repository';
import { redisOptions, startOwnSystem, type OwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { recordSecret } from './support/record-secret.js';
import {
  findNode,
  listChildren,
  makeWorkflow,
  readFilePort,
  runToEnd,
  script,
  startRun,
  waitForEnd,
} from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let system: OwnSystem;
let account: Account;
let repository: ServedRepository;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  repository = await serveRepository((folder) => {
    mkdirSync(join(folder, 'words'));
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, 'words', `${name}.txt`), `word ${name}\n`);
  });
  system = await startOwnSystem({ EGRESS_ALLOW: '127.0.0.1' }, { separate: ['worker'] });
  account = await signUp(system.url);
});
afterEach(async () => {
  for (const end of closers.splice(0)) await end();
});
afterAll(async () => {
  await repository.close();
  await system.stop();
});

/** Starts an HTTP server on 127.0.0.1, the only internal address that the system may fetch from. @returns its URL */
async function serve(listener: RequestListener): Promise<string> {
  const server = await serveHttp(listener);
  closers.push(() => server.close());
  return server.url;
}

const FILE = {
  nodes: { 'cat-1': script('cat in/*/*'), 'after-1': script('cat in/*/*') },
  inputs: { 'http-input-1': { type: 'FILE', label: 'List' } },
  edges: [
    ['http-input-1', 'cat-1/file'],
    ['cat-1/file', 'after-1/file'],
  ] as [string, string][],
};

const FOLDER = {
  nodes: { 'list-1': script('cd in/git-input-1 && find . -type f | sort && cat words/*') },
  inputs: { 'git-input-1': { type: 'FOLDER', label: 'Code' } },
  edges: [['git-input-1', 'list-1/folder']] as [string, string][],
};
const LISTED = './words/a.txt\n./words/b.txt\n./words/c.txt\nword a\nword b\nword c\n';

/** Kills the worker while it processes a job and deletes all data of Redis, so that the job is lost. */
async function loseJobs(): Promise<void> {
  const redis = new Redis(redisOptions(system.folder));
  process.kill(system.pidOf('worker'), 'SIGKILL');
  await redis.flushall();
  await redis.quit();
}

const MIXED = {
  nodes: { 'cat-1': script('cat in/*/*', { inputs: { token: { type: 'STRING', order: 1 } } }) },
  inputs: {
    ...FILE.inputs,
    'string-input-1': { type: 'STRING', label: 'token', value: '${{vars.NONE}}' },
    'string-input-2': { type: 'STRING', label: 'note', value: 'as written' },
    'string-input-3': { type: 'STRING', label: 'pass', value: '${{vars.PASS}}' },
    'boolean-input-1': { type: 'BOOLEAN', label: 'deep' },
  },
  edges: [
    ['http-input-1', 'cat-1/file'],
    ['string-input-1', 'cat-1/token'],
  ] as [string, string][],
};

describe('the inputs of a run', () => {
  const value = recordSecret('inputs-hunter22-secret');
  beforeAll(async () => {
    const body = { name: 'PASS', value, scope_type: 'vault' as const };
    await account.client.call(secrets.createSecretVariable, { body });
  });

  it('are in its record as requested, with secrets masked, and as resolved, with files by reference', async () => {
    const { client } = account;
    await client.files.upload('given/list.txt', new Blob(['one\n']));
    const given = { List: 'millrace://file/given/list.txt', token: `Bearer ${value}`, 'boolean-input-1': true };
    const started = await startRun(account, MIXED, given);
    const inputs = {
      given: { ...given, token: 'Bearer ***' },
      masked: ['token'],
      resolved: [
        { id: 'boolean-input-1', label: 'deep', type: 'BOOLEAN', given: true, value: true },
        {
          ...{ id: 'http-input-1', label: 'List', type: 'FILE', given: true, value: given.List },
          ...{ name: 'list.txt', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), size: 4 },
        },
        { id: 'string-input-1', label: 'token', type: 'STRING', given: true, value: 'Bearer ***' },
        { id: 'string-input-2', label: 'note', type: 'STRING', given: false, value: 'as written' },
        { id: 'string-input-3', label: 'pass', type: 'STRING', given: false, value: '${{vars.PASS}}' },
      ],
    };
    expect(started.inputs).toEqual(inputs);
    const shown = await client.call(runs.getRun, { params: { id: started.id } });
    expect(shown.inputs).toEqual(inputs);
    expect(JSON.stringify(shown)).not.toContain(value);
    const { results } = await client.call(runs.listRuns, { query: { workflow: started.workflow_info } });
    expect(results).toHaveLength(1);
    expect(results[0]).not.toHaveProperty('inputs');
    await waitForEnd(client, started.id);
  });

  it('do not reveal whether a value is a secret that the workflow does not name', async () => {
    const { client } = account;
    const body = { name: 'UNNAMED', value: 'sunshine42', scope_type: 'vault' as const };
    await client.call(secrets.createSecretVariable, { body });
    const given = { List: 'millrace://file/given/list.txt', token: 'moonlight41', note: 'sunshine42\nsunshine43' };
    const { id, inputs } = await startRun(account, MIXED, given);
    expect(inputs).toMatchObject({ given });
    expect(inputs).not.toHaveProperty('masked');
    await waitForEnd(client, id);
  });

  it('can be used to start the same run again, even if they were fetched from a URL', async () => {
    const { client } = account;
    const url = await serve((_request, response) => response.end('one\ntwo\n'));
    const run = await runToEnd(account, FILE, { List: `${url}/list.txt` });
    expect(run.inputs).toMatchObject({
      given: { List: `${url}/list.txt` },
      resolved: [{ id: 'http-input-1', value: `${url}/list.txt`, name: 'list.txt', size: 8 }],
    });
    const body = { inputs: { ...run.inputs?.given } };
    const again = await client.call(runs.createRun, { params: { id: run.workflow_info }, body });
    expect(await waitForEnd(client, again.id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('of a run without recorded inputs are shown as far as they are stored, with secrets masked', async () => {
    const { client } = account;
    const { id } = await startRun(account, MIXED, { List: 'millrace://file/given/list.txt', token: value });
    await waitForEnd(client, id);
    await queryDatabase(system.database, `UPDATE runs.run SET shown_inputs = NULL WHERE id = ${id}`);
    const { inputs } = await client.call(runs.getRun, { params: { id } });
    expect(inputs).not.toHaveProperty('given');
    expect(inputs?.resolved).toEqual([
      { id: 'boolean-input-1', label: 'deep', type: 'BOOLEAN', given: false, value: false },
      {
        id: 'http-input-1',
        label: 'List',
        type: 'FILE',
        given: true,
        name: 'list.txt',
        sha256: expect.any(String),
        size: 4,
      },
      { id: 'string-input-1', label: 'token', type: 'STRING', given: true, value: '***' },
      { id: 'string-input-2', label: 'note', type: 'STRING', given: false, value: 'as written' },
      { id: 'string-input-3', label: 'pass', type: 'STRING', given: false, value: '${{vars.PASS}}' },
    ]);
  });
});

describe('a run', () => {
  it('can have a file from a URL as its input', async () => {
    const url = await serve((_request, response) => response.end('one\ntwo\n'));
    const run = await startRun(account, FILE, { List: `${url}/list.txt` });
    expect(run).toMatchObject({ status: 'PENDING', finished: false });
    expect(await waitForEnd(account.client, run.id)).toMatchObject({ status: 'COMPLETED' });
    expect(await readFilePort(account.client, run.id, 'after-1')).toBe('one\ntwo\n');
  });

  it('can have a file from a URL as a parameter that is set at its start, and keeps it in a retry', async () => {
    const { client } = account;
    const url = await serve((_request, response) => response.end('one\ntwo\n'));
    const list = { type: 'FILE', order: 1, visible: false };
    const body = { parameters: { 'cat-1': { list: `${url}/list.txt` } } };
    const id = await makeWorkflow(account, { nodes: { 'cat-1': script('cat in/list/*', { inputs: { list } }) } });
    expect(await client.call(dryRun.planRun, { params: { id }, body })).toMatchObject({
      can_start: true,
      problems: [],
    });
    const run = await client.call(runs.createRun, { params: { id }, body });
    expect(run).toMatchObject({ status: 'PENDING', ...body });
    expect(await waitForEnd(client, run.id)).toMatchObject({ status: 'COMPLETED' });
    await client.call(runs.retryRun, { params: { id: run.id }, body: { nodes: ['cat-1'] } });
    expect(await waitForEnd(client, run.id)).toMatchObject({ status: 'COMPLETED', ...body });
    expect(await readFilePort(client, run.id, 'cat-1')).toBe('one\ntwo\n');
  });

  it('can have a repository as its input', async () => {
    const run = await runToEnd(account, FOLDER, { Code: repository.url });
    expect(run).toMatchObject({ status: 'COMPLETED' });
    expect(await readFilePort(account.client, run.id, 'list-1')).toBe(LISTED);
  });

  it('can have a folder of the storage as its input', async () => {
    for (const name of ['a', 'b', 'c'])
      await account.client.files.upload(`code/words/${name}.txt`, new Blob([`word ${name}\n`]));
    for (const value of ['millrace://file/code', 'millrace://file/code/']) {
      const run = await runToEnd(account, FOLDER, { Code: value });
      expect(run).toMatchObject({ status: 'COMPLETED' });
      expect(await readFilePort(account.client, run.id, 'list-1')).toBe(LISTED);
    }
  });

  it('has one child for each file of a folder', async () => {
    const draft = {
      nodes: {
        'each-1': {
          ...script('cat in/*/*', { inputs: { item: { type: 'FILE', order: 1 } } }),
          distribution: { input: 'item', mode: 'file' },
        },
      },
      inputs: { 'git-input-1': { type: 'FOLDER', label: 'Code' } },
      edges: [['git-input-1', 'each-1/item']] as [string, string][],
    };
    const run = await runToEnd(account, draft, { Code: repository.plainUrl });
    expect(run).toMatchObject({ status: 'COMPLETED' });
    const group = await findNode(account.client, run.id, 'each-1');
    const children = await listChildren(account.client, run.id, group.id);
    expect(children.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
  });

  it.each([
    ['Code', 'ssh://git@example.org/a.git'],
    ['Code', 'git@example.org:a.git'],
    ['Code', 'file:///etc'],
    ['Code', 'ext::sh -c id'],
    ['Code', 'https://example.org/a.git#--upload-pack=id'],
    ['Code', 'millrace://file/not/there'],
    ['List', 'ftp://example.org/x'],
  ])('is not created with %s = %s', async (label, value) => {
    const starting = startRun(account, label === 'Code' ? FOLDER : FILE, { [label]: value });
    const error = await starting.then(
      () => null,
      (thrown: unknown) => thrown as MillraceError,
    );
    expect(error).toBeInstanceOf(MillraceError);
    expect([error?.status, Object.keys(error?.details ?? {})]).toEqual([400, [`inputs.${label}`]]);
  });
});

describe('a run whose input cannot be fetched', () => {
  const secret = recordSecret('not-for-any-log-42');

  it('fails with the name of the input and the reason, without the password, and skips its nodes', async () => {
    const url = await serve((_request, response) => response.writeHead(404).end());
    const source = `${url.replace('//', `//me:${secret}@`)}/list.txt?token=${secret}`;
    const run = await runToEnd(account, FILE, { List: source });
    const error = `input List: ${url}/list.txt: the server responded with status 404`;
    expect(run).toMatchObject({ status: 'FAILED', partial: false, error });
    const { results } = await account.client.call(subjobs.listSubjobs, { params: { id: run.id } });
    expect(results.map(({ status }) => status)).toEqual(['SKIPPED', 'SKIPPED']);
  });

  it.each([
    ['List', 'http://169.254.169.254/latest/meta-data/'],
    ['List', 'http://[::ffff:a9fe:a9fe]/latest/meta-data/'],
    ['List', 'http://2852039166/latest/meta-data/'],
    ['List', 'http://127.0.0.2:1/'],
    ['Code', 'http://127.0.0.2:1/a.git'],
    ['Code', 'http://0251.0376.0251.0376/a.git'],
  ])('fails without a request to an internal address: %s = %s', async (label, value) => {
    const run = await runToEnd(account, label === 'Code' ? FOLDER : FILE, { [label]: value });
    expect(run).toMatchObject({ status: 'FAILED', error: expect.stringContaining('not an address of the public') });
  });
});

describe('a run whose input is being fetched', () => {
  it('can be stopped and deleted, which ends the fetch', async () => {
    let requests = 0;
    let closed = 0;
    const url = await serve((_request, response) => {
      requests++;
      response.write('a beginning');
      response.on('close', () => closed++);
    });
    const { id } = await startRun(account, FILE, { List: `${url}/list.txt` });
    await eventually(() => expect(requests).toBe(1));
    expect(await account.client.call(runs.stopRun, { params: { id } })).toMatchObject({ status: 'STOPPED' });
    await eventually(() => expect(closed).toBe(1));
    await account.client.call(runs.deleteRun, { params: { id } });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the worker', async () => process.kill(system.pidOf('worker'), 'SIGKILL')],
    ['the worker and the loss of all queued jobs', loseJobs],
  ])('completes in spite of the death of %s', async (_, kill) => {
    let requests = 0;
    const url = await serve((_request, response) => {
      if (requests++ === 0) response.write('a beginning');
      else response.end('whole\n');
    });
    const { id } = await startRun(account, FILE, { List: `${url}/list.txt` });
    await eventually(() => expect(requests).toBe(1));
    await kill();
    expect(await waitForEnd(account.client, id)).toMatchObject({ status: 'COMPLETED' });
    expect(await readFilePort(account.client, id, 'after-1')).toBe('whole\n');
  });
});
