import { beforeAll, describe, expect, it } from '@jest/globals';
import { storage, versions } from '@millrace/contracts/resources';
import { checkedFetch } from './support/checked-fetch.js';
import { makeWorkflow, script, toData, type Draft } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let account: Account;
let workflow: string;
beforeAll(async () => {
  account = await signUp();
  workflow = await makeWorkflow(account, { nodes: { 'only-1': script('echo') } });
});

const FAILURE = { code: expect.any(String), message: expect.any(String) };
const post = (path: string, body: string) => rawRequest(account, 'POST', `/api${path}`, { body });
const countVersions = async () =>
  (await account.client.call(versions.listVersions, { params: { id: workflow } })).count;

async function expectRejected(data: unknown, status = 400): Promise<Record<string, unknown>> {
  const before = await countVersions();
  const response = await post(`/workflows/${workflow}/versions`, JSON.stringify({ data }));
  expect({ status: response.status, body: response.body }).toEqual({ status, body: expect.objectContaining(FAILURE) });
  expect(await countVersions()).toBe(before);
  return response.body;
}

const PIPE = { 'a-1': script('echo'), 'b-1': script('cat in/*/*') };
const BROKEN: [string, Draft, string][] = [
  [
    'a cycle',
    {
      nodes: PIPE,
      edges: [
        ['a-1/file', 'b-1/file'],
        ['b-1/file', 'a-1/file'],
      ],
    },
    'cycle',
  ],
  ['an unknown output', { nodes: PIPE, edges: [['a-1/stdout', 'b-1/file']] }, 'unknown_port'],
  [
    'an unknown input',
    { nodes: { ...PIPE, 'b-1': { type: 'TOOL', container: { command: 'cat' } } }, edges: [['a-1/file', 'b-1/nix']] },
    'unknown_param',
  ],
  ['an edge to a missing node', { nodes: PIPE, edges: [['a-1/file', 'c-1/file']] }, 'unknown_node'],
  ['an edge from a missing node', { nodes: PIPE, edges: [['c-1/file', 'b-1/file']] }, 'unknown_node'],
  [
    'types that do not match',
    {
      nodes: { ...PIPE, 'b-1': script('cat', { inputs: { flag: { type: 'BOOLEAN' } } }) },
      edges: [['a-1/file', 'b-1/flag']],
    },
    'type_mismatch',
  ],
  ['an unknown module', { nodes: { 'm-1': { type: 'WORKFLOW', workflow: crypto.randomUUID() } } }, 'unknown_module'],
];

describe('a workflow with', () => {
  it.each(BROKEN)('%s is rejected with the place of the problem', async (_, draft, code) => {
    const { details } = await expectRejected(toData(draft));
    expect(details).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ code })]) });
  });

  it('itself as a module is rejected', async () => {
    const { details } = await expectRejected(toData({ nodes: { 'm-1': { type: 'WORKFLOW', workflow } } }));
    expect(details).toMatchObject({ errors: [expect.objectContaining({ code: 'module_recursion' })] });
  });

  it('5,001 nodes is rejected', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`n-${index}`, script('echo')]));
    expect((await expectRejected({ nodes })).code).toBe('validation_error');
  });

  it('20,001 edges is rejected', async () => {
    const edges = Array.from({ length: 20_001 }, () => ['a-1/file', 'b-1/file'] as [string, string]);
    expect((await expectRejected(toData({ nodes: PIPE, edges }))).code).toBe('validation_error');
  });

  it('11 MiB of data is rejected', async () => {
    const body = await expectRejected({ annotations: { note: 'x'.repeat(11 * 1024 * 1024) } }, 413);
    expect(body.code).toBe('payload_too_large');
  });

  it.each([
    ['a NUL character', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
  ])('%s in any place is rejected', async (_, text) => {
    await expectRejected({ annotations: { note: text } });
    await expectRejected({ annotations: { [text]: 'note' } });
    await expectRejected({ nodes: { 'a-1': script(`echo ${text}`) } });
  });
});

it('a run with invalid inputs is rejected with the name of each', async () => {
  const id = await makeWorkflow(account, {
    nodes: {
      'only-1': script('echo', { inputs: { word: { type: 'STRING' }, flag: { type: 'BOOLEAN', command: '-f' } } }),
    },
    inputs: {
      'string-input-1': { type: 'STRING', label: 'word' },
      'boolean-input-1': { type: 'BOOLEAN', label: 'flag' },
    },
    edges: [
      ['string-input-1/output', 'only-1/word'],
      ['boolean-input-1/output', 'only-1/flag'],
    ],
  });
  const { status, body } = await post(`/workflows/${id}/runs`, JSON.stringify({ inputs: { flag: 'maybe', nix: 'x' } }));
  expect({ status, ...body }).toMatchObject({ status: 400, code: 'validation_error' });
  const { details } = body as { details: object };
  expect(Object.keys(details).sort()).toEqual(['accepted', 'inputs.flag', 'inputs.nix', 'inputs.word']);
  const runs = await rawRequest(account, 'GET', `/api/workflows/${id}/runs`);
  expect(runs.body.count).toBe(0);
});

describe('a request', () => {
  const make = (body: string) => post(`/spaces/${account.space}/workflows`, body);

  it.each([
    ['a name of 256 characters', JSON.stringify({ name: 'x'.repeat(256) }), { 'body.name': expect.any(String) }],
    ['an empty name', '{"name":""}', { 'body.name': expect.any(String) }],
    ['no name', '{}', { 'body.name': expect.any(String) }],
    ['a name with a NUL character', '{"name":"a\\u0000b"}', { body: expect.stringContaining('NUL') }],
    ['a name with half of a surrogate pair', '{"name":"a\\ud800b"}', { body: expect.stringContaining('surrogate') }],
    ['an unknown field', '{"name":"x","nix":1}', { 'body.nix': expect.any(String) }],
    [
      'a description of 2,001 characters',
      JSON.stringify({ name: 'x', description: 'y'.repeat(2001) }),
      { 'body.description': expect.any(String) },
    ],
    ['a list instead of an object', '[]', expect.anything()],
  ])('with %s is rejected with 400 and the place of the problem', async (_, sent, details) => {
    const { status, body } = await make(sent);
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'validation_error', details });
  });

  it('with a name of 255 characters that are not ASCII is accepted', async () => {
    expect((await make(JSON.stringify({ name: 'ü'.repeat(255) }))).status).toBe(201);
  });

  it('with a name of characters beyond the basic multilingual plane is accepted', async () => {
    const name = '😀'.repeat(127);
    expect(await make(JSON.stringify({ name }))).toMatchObject({ status: 201, body: { name } });
  });

  it('for a number that no record has gets 404 with that number', async () => {
    for (const number of ['999999999999999999', '99999999999999999999']) {
      const { status, body } = await rawRequest(account, 'GET', `/api/runs/${number}`);
      expect({ status, ...body }).toMatchObject({
        status: 404,
        message: `Run ${number} does not exist in this vault.`,
      });
    }
  });

  it.each(['{"name":', '{name:"x"}', '', 'null,'])('with the invalid JSON %j is rejected with 400', async (sent) => {
    const { status, body } = await make(sent);
    expect({ status, ...body }).toMatchObject({ status: 400, ...FAILURE });
  });

  it('with a reserved key is rejected with 400, and the response names the key', async () => {
    const { status, body } = await make('{"name":"x","metadata":{"__proto__":{}}}');
    const details = { 'body.metadata.__proto__': 'is a reserved name; use another key' };
    expect({ status, ...body }).toMatchObject({ status: 400, code: 'validation_error', details });
  });

  it('that is not UTF-8 is rejected with 400', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const response = await rawRequest(account, 'POST', `/api/spaces/${account.space}/workflows`, { body });
    expect({ status: response.status, ...response.body }).toMatchObject({ status: 400, code: 'malformed_json' });
  });

  it('that is larger than its operation allows is rejected with 413', async () => {
    const { status, body } = await make(JSON.stringify({ name: 'x', description: 'y'.repeat(2 * 1024 * 1024) }));
    expect({ status, ...body }).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it.each([
    ['/api/workflows/not-an-id', 404],
    ['/api/workflows/00000000-0000-7000-8000-000000000000', 404],
    ['/api/runs/abc', 400],
    ['/api/runs/-1', 400],
    ['/api/runs/999999999999999999', 404],
    ['/api/runs/99999999999999999999999', 404],
    ['/api/runs/1/subjobs/x', 400],
    ['/api/workflows?page=0', 400],
    ['/api/workflows?page_size=1001', 400],
    ['/api/workflows?ordering=password', 400],
    ['/api/workflows?nix=1', 400],
    ['/api/workflows?search=%00', 400],
    ['/api/workflows/%00', 400],
    ['/api/workflows/%ff', 404],
  ])('for %s gets the status %d', async (path, status) => {
    const response = await rawRequest(account, 'GET', path);
    expect({ status: response.status, ...response.body }).toMatchObject({ status, ...FAILURE });
  });

  it.each(['../up.txt', '/etc/passwd', 'a/../../b', 'a//b', '', 'x'.repeat(1_025), 'a\0b'])(
    'to store a file at %j is rejected, and nothing is stored',
    async (path) => {
      const form = new FormData();
      form.append('path', path);
      form.append('file', new Blob(['x']), 'x.txt');
      const headers = { authorization: `Bearer ${account.access}` };
      const response = await checkedFetch(`${account.url}/api/storage/files`, {
        method: 'POST',
        body: form,
        headers,
      });
      expect({ status: response.status, body: (await response.json()) as unknown }).toMatchObject({
        status: 400,
        body: FAILURE,
      });
      expect((await account.client.call(storage.listFiles)).count).toBe(0);
    },
  );

  it('with an Idempotency-Key that was used with another body is rejected', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = (name: string) =>
      rawRequest(account, 'POST', `/api/spaces/${account.space}/workflows`, {
        body: JSON.stringify({ name }),
        headers,
      });
    const first = await send('once');
    expect(first.status).toBe(201);
    expect((await send('once')).body).toEqual(first.body);
    expect((await send('other')).body).toMatchObject({ code: 'validation_error' });
  });
});

const MISSING_ID = '00000000-0000-4000-8000-000000000000';

describe('a request that names a missing record gets 404:', () => {
  it.each<[string, string, object?]>([
    ['GET', `/secret-variables?space=${MISSING_ID}`],
    ['POST', '/secret-variables', { name: 'HERE', value: 'a value', scope_type: 'space', space: MISSING_ID }],
    ['POST', '/storage/folders', { path: 'here', vaultId: MISSING_ID }],
    ['GET', '/storage/folders?path=nowhere'],
    ['DELETE', '/storage/folders?path=nowhere'],
    ['POST', '/query-metadata/folders', { name: 'Here', workflowId: MISSING_ID }],
    ['GET', `/database-tables/detected?workflow=${MISSING_ID}`],
    ['POST', `/workflows/import?space=${MISSING_ID}`, { millrace: 1, name: 'Here', data: {} }],
    ['POST', '/billing/stripe/events', {}],
  ])('%s %s', async (method, path, ...[body]) => {
    const response = await rawRequest(account, method, `/api${path}`, body && { body: JSON.stringify(body) });
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('a save', () => {
  it('based on an outdated version is rejected with the nodes that both users have changed', async () => {
    const draft = (a: string, b: string) => toData({ nodes: { 'a-1': script(a), 'b-1': script(b) } });
    const id = await makeWorkflow(account, { nodes: { 'a-1': script('one'), 'b-1': script('two') } });
    const params = { id };
    const base = await account.client.call(versions.getVersion, { params: { ...params, versionId: 'latest' } });
    const save = (data: ReturnType<typeof draft>) =>
      account.client.call(versions.saveVersion, {
        params,
        body: { data, expected_version_id: base.id, previous_data: base.data },
      });
    const latest = await save(draft('mine', 'two'));
    await expect(save(draft('theirs', 'changed'))).rejects.toMatchObject({
      status: 409,
      code: 'version_conflict',
      details: { latest_version_id: latest.id, changed_nodes: ['a-1'] },
    });
    expect((await account.client.call(versions.listVersions, { params })).count).toBe(2);
  });
});
