import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeWorkflow, script } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

/**
 * Workflows, library, storage and secret variables as the interface document types them, field by field and written out
 * from it by hand: what the contract in code says of itself is not asked.
 */
type Shape = Record<string, 'string' | 'string?' | 'string|null' | 'number' | 'boolean' | 'object' | 'array'>;

let account: Account;
let workflow: string;
let version: string;
beforeAll(async () => {
  account = await signUp();
  workflow = await makeWorkflow(account, { nodes: { 'only-1': script('echo one') } });
  const { body } = await rawRequest(account, 'GET', `/api/workflows/${workflow}`);
  version = String(body['latest_version_info']);
});

const send = (method: string, path: string, body?: unknown) =>
  rawRequest(account, method, `/api${path}`, body === undefined ? {} : { body: JSON.stringify(body) });

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A field typed string is left out when it is empty: neither null nor "" stands for nothing. */
function expectShape(record: unknown, shape: Shape): void {
  const fields = record as Record<string, unknown>;
  for (const [name, type] of Object.entries(shape)) {
    const kind = kindOf(fields[name]);
    if (type === 'string?') expect([name, kind]).toEqual([name, name in fields ? 'string' : 'undefined']);
    else if (type === 'string|null') expect(['string', 'null', 'undefined']).toContain(kind);
    else expect([name, kind]).toEqual([name, type]);
  }
}

const PAGE: Shape = { results: 'array', count: 'number', next: 'string?', previous: 'string?' };
const SNAPSHOT: Shape = {
  ...{ id: 'string', name: 'string', description: 'string|null' },
  ...{ workflow: 'string', workflow_version_info: 'string', created_date: 'string' },
};
const MODULE: Shape = {
  ...{ id: 'string', name: 'string', description: 'string?', type: 'string', category: 'string?', author: 'string?' },
  ...{ inputs: 'array', outputs: 'array', workflow: 'string?', vault: 'string?' },
};

describe('workflows', () => {
  it('POST /workflows/{id}/snapshots gives 200 with a snapshot', async () => {
    const asked = { workflow_version_info: version, name: 'First', description: 'as published' };
    const { status, body } = await send('POST', `/workflows/${workflow}/snapshots`, asked);
    expect(status).toBe(200);
    expectShape(body, SNAPSHOT);
    expect(body).toMatchObject({
      name: 'First',
      description: 'as published',
      workflow,
      workflow_version_info: version,
    });
  });

  it.each([
    ['no version', { name: 'x' }, 'body.workflow_version_info'],
    ['an empty version', { workflow_version_info: '' }, 'body.workflow_version_info'],
    ['a version of 256 characters', { workflow_version_info: 'v'.repeat(256) }, 'body.workflow_version_info'],
    ['a name of 256 characters', { workflow_version_info: 'v', name: 'n'.repeat(256) }, 'body.name'],
    [
      'a description of 2,001 characters',
      { workflow_version_info: 'v', description: 'd'.repeat(2_001) },
      'body.description',
    ],
  ])('POST /workflows/{id}/snapshots refuses %s with 400', async (_what, asked, field) => {
    const { status, body } = await send('POST', `/workflows/${workflow}/snapshots`, asked);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_error', details: { [field]: expect.any(String) } });
  });

  it('PUT /workflows/{id}/model checks the choice and keeps nothing', async () => {
    const { body: models } = await send('GET', '/models');
    const [first] = models['results'] as { id: string }[];
    const { status, body } = await send('PUT', `/workflows/${workflow}/model`, { modelId: first?.id });
    expect(status).toBe(200);
    expectShape(body, { success: 'boolean', modelId: 'string', model: 'object' });
    expect(body).toMatchObject({ success: true, modelId: first?.id });
    expect((await send('PUT', `/workflows/${workflow}/model`, { modelId: 'no-such-model' })).status).toBe(400);
    expect(JSON.stringify((await send('GET', `/workflows/${workflow}`)).body)).not.toContain(first?.id);
  });

  it('GET /vault/workflows gives pages of workflows with their space and flags', async () => {
    const { status, body } = await send('GET', '/vault/workflows?page=1&page_size=1&search=&ordering=-modified_date');
    expect(status).toBe(200);
    expectShape(body, PAGE);
    expect(body['next']).toMatch(/^http.*page=2/);
    expect(body).not.toHaveProperty('previous');
    const [record] = body['results'] as unknown[];
    expectShape(record, { id: 'string', name: 'string', space: 'object', is_app: 'boolean', has_database: 'boolean' });
    expect((await send('GET', '/vault/workflows?has_database=true')).body).toMatchObject({ results: [], count: 0 });
    expect((await send('GET', '/vault/workflows?has_database=maybe')).status).toBe(400);
  });

  it('GET /workflows/{id}/status and the validation answer hold their fields', async () => {
    const { body } = await send('GET', `/workflows/${workflow}/status`);
    expectShape(body, { id: 'string', status: 'string', executing: 'boolean', last_execution_status: 'string?' });
    const checked = await send('POST', `/workflows/${workflow}/validate`, {});
    expect(checked.status).toBe(200);
    expectShape(checked.body, { errors: 'array', warnings: 'array' });
  });
});

describe('the library', () => {
  it('PATCH /library/module/{id} gives 200 with the module, and PUT is gone', async () => {
    const asked = { type: 'SCRIPT', name: 'mine', script_type: 'bash', script: { source: 'echo mine' } };
    const made = await send('POST', '/library/module', asked);
    expect(made.status).toBe(201);
    const path = `/library/module/${String(made.body['id'])}`;
    const { status, body } = await send('PATCH', path, { name: 'ours', description: 'of us all' });
    expect(status).toBe(200);
    expectShape(body, MODULE);
    expect(body).toMatchObject({ name: 'ours', description: 'of us all', type: 'SCRIPT' });
    expect([404, 405]).toContain((await send('PUT', path, { name: 'theirs' })).status);
    expect((await send('PATCH', path, { script: { source: 'echo' } })).status).toBe(400);
  });

  it('lists built-in modules whole', async () => {
    const { body } = await send('GET', '/library/module?page_size=1000');
    const results = body['results'] as unknown[];
    expect(results.length).toBeGreaterThan(40);
    for (const record of results) expectShape(record, MODULE);
  });
});

describe('storage', () => {
  it('POST /storage/folders gives 200 with the folder, made with those above it', async () => {
    const { status, body } = await send('POST', '/storage/folders', { path: 'a/b/c', description: 'deep' });
    expect(status).toBe(200);
    expect(body['success']).toBe(true);
    const folder: Shape = { id: 'string', path: 'string', name: 'string', parent: 'string', created_date: 'string' };
    expectShape(body['folder'], { ...folder, description: 'string' });
    const { body: above } = await send('GET', '/storage/folders?path=a');
    expect((above['results'] as { path: string }[]).map(({ path }) => path)).toEqual(['a/b']);
    expect((await send('POST', '/storage/folders', {})).status).toBe(400);
    expect((await send('POST', '/storage/folders', { path: '../up' })).status).toBe(400);
  });
});

describe('secret variables', () => {
  it('GET /secret-variables says success and never a value', async () => {
    const value = 'value of the contract test';
    const made = await send('POST', '/secret-variables', { name: 'CONTRACT', value, scope_type: 'vault' });
    expect(made.status).toBe(201);
    const { status, body } = await send('GET', '/secret-variables?scope_type=vault');
    expect(status).toBe(200);
    expectShape(body, { success: 'boolean', results: 'array' });
    const [record] = body['results'] as unknown[];
    expectShape(record, {
      id: 'string',
      name: 'string',
      scope_type: 'string',
      created_date: 'string',
      modified_date: 'string',
    });
    expect(JSON.stringify([made.body, body])).not.toContain(value);
    expect((await send('GET', '/secret-variables?scope_type=planet')).status).toBe(400);
  });
});

describe('every path of this part', () => {
  it.each([
    ['POST', '/workflows/x/snapshots'],
    ['PUT', '/workflows/x/model'],
    ['GET', '/vault/workflows'],
    ['POST', '/storage/folders'],
    ['PATCH', '/library/module/x'],
    ['GET', '/secret-variables'],
  ])('%s %s wants credentials', async (method, path) => {
    const { status, body } = await rawRequest({ ...account, access: 'none.of.these' }, method, `/api${path}`, {
      ...(method !== 'GET' && { body: '{}' }),
    });
    expect([status, body['code']]).toEqual([401, 'unauthenticated']);
  });
});
