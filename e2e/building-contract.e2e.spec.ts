import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkRecord } from './interface/check-value.js';
import { LIBRARY } from './interface/table/library.js';
import { makeWorkflow, script } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

/** The rules of the interface document for workflows, library, storage and secret variables, except fields and their types. */
let account: Account;
let workflow: string;
beforeAll(async () => {
  account = await signUp();
  workflow = await makeWorkflow(account, { nodes: { 'only-1': script('echo one') } });
});

const send = (method: string, path: string, body?: unknown) =>
  rawRequest(account, method, `/api${path}`, body === undefined ? {} : { body: JSON.stringify(body) });

describe('the workflows contract:', () => {
  it('PUT /workflows/{id}/model validates the choice and stores nothing', async () => {
    const { body: models } = await send('GET', '/models');
    const [first] = models['results'] as { id: string }[];
    expect((await send('PUT', `/workflows/${workflow}/model`, { modelId: first?.id })).status).toBe(200);
    expect((await send('PUT', `/workflows/${workflow}/model`, { modelId: 'no-such-model' })).status).toBe(400);
    expect(JSON.stringify((await send('GET', `/workflows/${workflow}`)).body)).not.toContain(first?.id);
  });

  it('GET /vault/workflows lists each workflow with its space and flags, and with has_database=true only workflows with a database', async () => {
    const { body } = await send('GET', '/vault/workflows');
    const [record] = body['results'] as object[];
    expect(record).toMatchObject({
      space: { id: account.space, name: 'Playground' },
      is_app: expect.any(Boolean),
      has_database: false,
    });
    expect((await send('GET', '/vault/workflows?has_database=true')).body).toMatchObject({ results: [], count: 0 });
  });
});

describe('the library contract:', () => {
  it('PATCH /library/module/{id} changes only the name and the description', async () => {
    const module = { type: 'SCRIPT', name: 'mine', script_type: 'bash', script: { source: 'echo mine' } };
    const made = await send('POST', '/library/module', module);
    const path = `/library/module/${String(made.body['id'])}`;
    expect((await send('PATCH', path, { script: { source: 'echo' } })).status).toBe(400);
  });

  it('GET /library/module lists built-in modules with all documented fields', async () => {
    const { body } = await send('GET', '/library/module?page_size=1000&built_in=true');
    const results = body['results'] as object[];
    expect(results.length).toBeGreaterThan(40);
    const fields = LIBRARY['PATCH /library/module/{id}'].response;
    const ofVault = ['author', 'workflow', 'vault', 'vault_info'];
    for (const record of results) expect(checkRecord(fields, record, ofVault)).toEqual([]);
  });
});

describe('the storage contract:', () => {
  it('POST /storage/folders also creates the parent folders, and none outside of the storage', async () => {
    const { body } = await send('POST', '/storage/folders', { path: 'a/b/c', description: 'deep' });
    const { id, created_date } = body['folder'] as Record<string, unknown>;
    expect([typeof id, typeof created_date]).toEqual(['string', 'string']);
    const { body: above } = await send('GET', '/storage/folders?path=a');
    expect((above['results'] as { path: string }[]).map(({ path }) => path)).toEqual(['a/b']);
    expect((await send('POST', '/storage/folders', { path: '../up' })).status).toBe(400);
  });
});

describe('the contract of secret variables:', () => {
  it('GET /secret-variables lists the variables of a scope, and never a value', async () => {
    const value = 'value of the contract test';
    const made = await send('POST', '/secret-variables', { name: 'CONTRACT', value, scope_type: 'vault' });
    expect(made.status).toBe(201);
    const { body } = await send('GET', '/secret-variables?scope_type=vault');
    expect(body).toMatchObject({ results: [{ name: 'CONTRACT', scope_type: 'vault' }] });
    expect(JSON.stringify([made.body, body])).not.toContain(value);
    expect((await send('GET', '/secret-variables?scope_type=planet')).status).toBe(400);
  });
});
