import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { copyWorkflow } from '@millrace/contracts/workflows/exchange';
import {
  createModule,
  createModuleVersion,
  getModule,
  listModules,
  listModuleUses,
} from '@millrace/contracts/workflows/library';
import { restoreVersion } from '@millrace/contracts/workflows/versions';
import { deleteWorkflow, validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs, edge, script } from '../../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

/** Searches a list for a pattern and outputs the matches as `found`. */
const INNER = {
  nodes: {
    'grep-1': {
      type: 'SCRIPT',
      meta: { label: 'found' },
      script: { source: 'grep -e "$1" in/*/*' },
      inputs: { pattern: { type: 'STRING' } },
    },
    ...script('other-1'),
  },
  primitiveNodes: {
    'http-input-1': { type: 'FILE', label: 'list' },
    'string-input-1': { type: 'STRING', label: 'pattern', value: 'a' },
    'string-input-2': { type: 'STRING', label: 'b', value: 'b' },
  },
  connections: [edge('http-input-1/output', 'grep-1/file'), edge('string-input-1/output', 'grep-1/pattern')],
};

async function publish(caller: Caller, saved: { id: string; version: { id: string } }): Promise<string> {
  const id = newId();
  await system.database.query(
    `INSERT INTO workflows.snapshot (id, vault_id, workflow_id, version_id, name, author, modified_at)
     VALUES ($1, $2, $3, $4, 'Published', $5, now())`,
    [id, caller.vault, saved.id, saved.version.id, caller.user],
  );
  return id;
}

const create = (caller: Caller, body: Request<typeof createModule>['body']) =>
  system.callAs(caller, createModule, { body });

describe('a published workflow as a module', () => {
  it('has ports named by its labels, and a node that wraps the published version', async () => {
    const caller = ownerCaller();
    const seed = seedAs(system.callAs, caller);
    const inner = await seed.saved(INNER);
    const snapshot = await publish(caller, inner);
    await seed.version(inner.id, {});
    const module = await create(caller, { name: 'Find', snapshot });
    expect(module).toMatchObject({
      type: 'MODULE',
      workflow: inner.id,
      snapshot,
      inputs: [
        { name: 'list', type: 'FILE', order: 1, required: true },
        { name: 'pattern', type: 'STRING', order: 2, value: 'a' },
      ],
      outputs: [{ name: 'found', type: 'FILE' }],
      node: { id: module.id, name: 'Find-1', type: 'WORKFLOW', workflow: inner.version.id },
    });
    const data = {
      nodes: { 'Find-1': module.node, ...script('last-1') },
      primitiveNodes: { 'http-input-1': { type: 'FILE', value: 'https://example.org/a' } },
      connections: [edge('http-input-1/output', 'Find-1/list'), edge('Find-1/found', 'last-1/file')],
    };
    const outer = await seed.saved(data);
    expect(await system.callAs(caller, validateWorkflow, { params: { id: outer.id } })).toMatchObject({ errors: [] });
  });

  it('is marked after it was deleted, and workflows that use it can still be saved, restored and copied', async () => {
    const caller = ownerCaller();
    const seed = seedAs(system.callAs, caller);
    const inner = await seed.saved(INNER);
    const module = await create(caller, { name: 'Find', snapshot: await publish(caller, inner) });
    const data = {
      nodes: { 'Find-1': module.node, ...script('last-1') },
      primitiveNodes: { 'http-input-1': { type: 'FILE', value: 'https://example.org/a' } },
      connections: [edge('http-input-1/output', 'Find-1/list'), edge('Find-1/found', 'last-1/file')],
    };
    const outer = await seed.saved(data);
    const get = () => system.callAs(caller, getModule, { params: { id: module.id } });
    expect(await get()).not.toHaveProperty('available');
    await system.callAs(caller, deleteWorkflow, { params: { id: inner.id } });
    expect(await get()).toMatchObject({ available: false });
    const { results } = await system.callAs(caller, listModules, { query: { type: 'MODULE' } });
    expect(results).toMatchObject([{ id: module.id, available: false }]);
    expect(await seed.version(outer.id, { ...data, config: { zoom: 1 } })).toMatchObject({ number: 2 });
    const restored = { params: { id: outer.id, versionId: outer.version.id } };
    expect(await system.callAs(caller, restoreVersion, restored)).toMatchObject({ number: 3 });
    await system.callAs(caller, copyWorkflow, { params: { id: outer.id } });
    const errors = expect.arrayContaining([expect.objectContaining({ code: 'unknown_module', node: 'Find-1' })]);
    expect(await system.callAs(caller, validateWorkflow, { params: { id: outer.id } })).toMatchObject({ errors });
    await expect(seed.saved(data)).rejects.toMatchObject({ code: 'validation_error', details: { errors } });
    const published = seed.version(outer.id, data, { snapshot: true });
    await expect(published).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('wraps the newest snapshot of a workflow, and a later one as a new version', async () => {
    const caller = ownerCaller();
    const seed = seedAs(system.callAs, caller);
    const inner = await seed.saved(INNER);
    const first = await publish(caller, inner);
    const module = await create(caller, { name: 'Find', workflow: inner.id });
    expect(module).toMatchObject({ snapshot: first });
    const params = { id: module.id };
    expect(await system.callAs(caller, createModuleVersion, { params, body: { workflow: inner.id } })).toMatchObject({
      version: 1,
    });
    const version = await seed.version(inner.id, { nodes: script('step-1') });
    await publish(caller, { ...inner, version });
    expect(await system.callAs(caller, createModuleVersion, { params, body: { workflow: inner.id } })).toMatchObject({
      version: 2,
      inputs: [],
      outputs: [],
      node: { workflow: version.id },
    });
  });

  it('is available to all users of the vault, with any role in its space', async () => {
    const caller = ownerCaller();
    const snapshot = await publish(caller, await seedAs(system.callAs, caller).saved(INNER));
    expect(await create(memberCaller(caller, {}), { name: 'Find', snapshot })).toMatchObject({ snapshot });
  });

  it('must be published in this vault and able to run', async () => {
    const [caller, outsider] = [ownerCaller(), ownerCaller()];
    const seed = seedAs(system.callAs, caller);
    const inner = await seed.saved(INNER);
    const foreign = await publish(outsider, await seedAs(system.callAs, outsider).saved(INNER));
    for (const [field, id] of [
      ['workflow', inner.id],
      ['workflow', 'x'],
      ['snapshot', foreign],
      ['snapshot', randomUUID()],
    ] as const) {
      await expect(create(caller, { name: 'Find', [field]: id })).rejects.toMatchObject({
        code: 'validation_error',
        details: { [`body.${field}`]: 'must be published in this vault' },
      });
    }
    const snapshot = await publish(caller, await seed.saved({ nodes: script('step-1', '') }));
    await expect(create(caller, { name: 'Draft', snapshot })).rejects.toMatchObject({
      details: {
        'body.snapshot': expect.stringContaining('valid workflow'),
        errors: [{ code: 'script_without_source' }],
      },
    });
    await expect(create(caller, { name: 'Both', snapshot, workflow: inner.id })).rejects.toMatchObject({
      details: { 'body.workflow': expect.any(String) },
    });
  });
});

describe('the uses of a module', () => {
  it('are the readable workflows whose latest version has nodes made from it', async () => {
    const caller = ownerCaller();
    const seed = seedAs(system.callAs, caller);
    const [open, hidden] = [await seed.space({ name: 'Open' }), await seed.space()];
    const { id, node } = await create(caller, { name: 'a', script: { source: 'x' } });
    const using = (...names: string[]) => ({
      nodes: {
        ...script('step-1'),
        ...Object.fromEntries(names.map((name) => [name, { ...node, name, id: id.toUpperCase() }])),
      },
    });
    const first = await seed.saved(using('a-2', 'a-1'), open.id);
    const second = await seed.saved(using('a-1'), hidden.id);
    const outdated = await seed.saved(using('a-1'), open.id);
    await seed.version(outdated.id, using());
    const uses = (by: Caller, query = {}) => system.callAs(by, listModuleUses, { params: { id }, query });
    const use = {
      ...{ id: first.id, name: 'Workflow', space_info: open.id, space_name: 'Open' },
      ...{ version: first.version.id, nodes: ['a-1', 'a-2'] },
    };
    const all = await uses(caller, { ordering: 'created_date' });
    expect(all).toMatchObject({ count: 2, results: [use, { id: second.id, nodes: ['a-1'] }] });
    expect(await uses(caller, { ordering: '-created_date', page: 2, page_size: 1 })).toMatchObject({ results: [use] });
    const member = memberCaller(caller, { [open.id]: 'read', [hidden.id]: 'insights' });
    expect(await uses(member)).toMatchObject({ count: 1, results: [use] });
    expect(await uses(memberCaller(caller, {}))).toMatchObject({ count: 0, results: [] });
    expect(await uses(caller, { search: 'none' })).toMatchObject({ count: 0 });
    await expect(uses(ownerCaller())).rejects.toMatchObject({ code: 'not_found' });
  });
});
