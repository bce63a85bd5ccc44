import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { copyWorkflow, importWorkflow, moveWorkflow } from '@millrace/contracts/workflows/exchange';
import { createModule } from '@millrace/contracts/workflows/library';
import { createSecretVariable } from '@millrace/contracts/workflows/secrets';
import { createSnapshot } from '@millrace/contracts/workflows/snapshots';
import { getVersion, restoreVersion } from '@millrace/contracts/workflows/versions';
import { loadForRun, validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf, moduleNode, script } from '../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const wrap = (key: string) => ({ nodes: moduleNode('m-1', key) });
const sending = {
  nodes: { 'send-1': { type: 'SCRIPT', script: { source: 'x', environment: { X: '${{vars.SPACE_SECRET}}' } } } },
};

/** A space `home` with a workflow of its own in it, and a space `other` with a workflow to use as a module. */
async function seeded(inner: object = chainOf(1)) {
  const owner = ownerCaller();
  const seed = seedAs(system.callAs, owner);
  const [home, other] = [(await seed.space()).id, (await seed.space()).id];
  const module = await seed.saved(inner, other);
  const mine = await seed.saved(chainOf(2), home);
  const validate = (id: string, body: object = {}, by: Caller = owner) =>
    system.callAs(by, validateWorkflow, { params: { id }, body });
  /** Stores data without pins, as versions from before pins were required. */
  const store = (version: string, data: object, modules: string[]) =>
    system.database.query('UPDATE workflows.version SET data = $2, modules = $3 WHERE id = $1', [
      ...[version, JSON.stringify(data), modules],
    ]);
  return { owner, seed, home, other, module, mine, validate, store };
}

const unpinned = (version: string) => ({
  code: 'validation_error',
  details: {
    'body.data.nodes.m-1.workflow': expect.stringContaining('not pinned'),
    errors: [expect.objectContaining({ code: 'unpinned_module', hint: expect.stringContaining(version) })],
  },
});

describe('a module of another space', () => {
  it('is saved only if it is pinned, and the error names the version to pin', async () => {
    const { seed, module, mine } = await seeded();
    await expect(seed.version(mine.id, wrap(module.id))).rejects.toMatchObject(unpinned(module.version.id));
    expect(await seed.version(mine.id, wrap(module.version.id))).toMatchObject({ number: 2 });
  });

  it('is imported only if it is pinned', async () => {
    const { owner, home, module } = await seeded();
    const importModule = (key: string) =>
      system.callAs(owner, importWorkflow, {
        query: { space: home },
        body: { millrace: 1, name: 'In', data: wrap(key) },
      });
    await expect(importModule(module.id)).rejects.toMatchObject({ code: 'validation_error' });
    expect(await importModule(module.version.id)).toMatchObject({ name: 'In' });
  });

  it('causes a warning if a stored version does not pin it, and that version can run, be restored and be published', async () => {
    const { owner, seed, module, mine, validate, store } = await seeded();
    await store(mine.version.id, wrap(module.id), [module.id]);
    expect(await validate(mine.id)).toMatchObject({ errors: [], warnings: [{ code: 'unpinned_module', node: 'm-1' }] });
    expect(await validate(mine.id, { data: wrap(module.id) })).toMatchObject({ errors: [{ code: 'unpinned_module' }] });
    const body = { workflow: mine.id, files: [] };
    const runs = await system.fake('runs');
    const loaded = await runs.call(loadForRun, body, owner);
    expect(loaded.content?.modules).toMatchObject({ [module.id]: { version: module.version.id } });
    await seed.version(mine.id, chainOf(1));
    const restored = { params: { id: mine.id, versionId: mine.version.id } };
    expect(await system.callAs(owner, restoreVersion, restored)).toMatchObject({ data: wrap(module.id) });
    const published = { params: { id: mine.id }, body: { workflow_version_info: mine.version.id } };
    expect(await system.callAs(owner, createSnapshot, published)).toMatchObject({ workflow: mine.id });
  });

  it("causes a warning if the workflow moved away from the module's space", async () => {
    const { owner, seed, home, other, validate } = await seeded();
    const inner = await seed.saved(chainOf(1), home);
    const outer = await seed.saved(wrap(inner.id), home);
    expect(await validate(outer.id)).toEqual({ errors: [], warnings: [] });
    await system.callAs(owner, moveWorkflow, { params: { id: outer.id }, body: { space: other } });
    expect(await validate(outer.id)).toMatchObject({ errors: [], warnings: [{ code: 'unpinned_module' }] });
  });

  it('is pinned by a copy into another space, and stays unpinned in a copy in the same space', async () => {
    const { owner, seed, home, other } = await seeded();
    const inner = await seed.saved(chainOf(1), home);
    const outer = await seed.saved(wrap(inner.id.toUpperCase()), home);
    const copied = async (space: string) => {
      const { id } = await system.callAs(owner, copyWorkflow, { params: { id: outer.id }, body: { space } });
      return (await system.callAs(owner, getVersion, { params: { id, versionId: 'latest' } })).data;
    };
    expect(await copied(other)).toEqual(wrap(inner.version.id));
    expect(await copied(home)).toEqual(wrap(inner.id.toUpperCase()));
  });

  it('from the library is always pinned', async () => {
    const { owner, seed, module, mine } = await seeded();
    const published = { params: { id: module.id }, body: { workflow_version_info: module.version.id } };
    await system.callAs(owner, createSnapshot, published);
    const { node } = await system.callAs(owner, createModule, { body: { name: 'm', workflow: module.id } });
    expect(await seed.version(mine.id, { nodes: { 'm-1': node } })).toMatchObject({ number: 2 });
  });
});

describe('a module with secret variables of another space', () => {
  it('is refused to users who may not run workflows there, until it is published', async () => {
    const { owner, home, other, module, mine } = await seeded(sending);
    const by = (role: 'read' | 'execute') =>
      seedAs(system.callAs, memberCaller(owner, { [home]: 'write', [other]: role }));
    await expect(by('read').version(mine.id, wrap(module.version.id))).rejects.toMatchObject({
      details: { 'body.data.nodes.m-1': expect.stringContaining('secret variables of its space') },
    });
    expect(await by('execute').version(mine.id, wrap(module.version.id))).toMatchObject({ number: 2 });
    expect(await by('read').version(mine.id, { ...wrap(module.version.id), config: {} })).toMatchObject({ number: 3 });
    await by('read').version(mine.id, chainOf(1));
    await system.callAs(owner, createSnapshot, {
      ...{ params: { id: module.id }, body: { workflow_version_info: module.version.id } },
    });
    expect(await by('read').version(mine.id, wrap(module.version.id))).toMatchObject({ number: 5 });
  });

  it('is available to readers if it uses no variables', async () => {
    const { owner, home, other, module, mine } = await seeded();
    const reader = seedAs(system.callAs, memberCaller(owner, { [home]: 'write', [other]: 'read' }));
    expect(await reader.version(mine.id, wrap(module.version.id))).toMatchObject({ number: 2 });
  });

  it('is checked against the variables of its own space, which only its editors see', async () => {
    const { owner, seed, home, other, module, mine, validate } = await seeded(sending);
    const set = (space: string) =>
      system.callAs(owner, createSecretVariable, {
        body: { name: 'SPACE_SECRET', value: 'hunter22', scope_type: 'space', space },
      });
    await set(home);
    await seed.version(mine.id, wrap(module.version.id));
    const unknown = [{ code: 'unknown_variable', node: 'm-1/send-1' }];
    expect((await validate(mine.id)).warnings).toMatchObject(unknown);
    const editor = memberCaller(owner, { [home]: 'write', [other]: 'execute' });
    expect((await validate(mine.id, {}, editor)).warnings).toEqual([]);
    await set(other);
    expect((await validate(mine.id)).warnings).toEqual([]);
  });
});

describe('a run', () => {
  it('gets the space of each module that it loads', async () => {
    const { owner, seed, home, other, module, mine } = await seeded();
    const near = await seed.saved({ nodes: script('step-1') }, home);
    await seed.version(mine.id, { nodes: { ...moduleNode('m-1', module.version.id), ...moduleNode('n-1', near.id) } });
    const runs = await system.fake('runs');
    const { content } = await runs.call(loadForRun, { workflow: mine.id, files: [] }, owner);
    expect(content?.modules).toMatchObject({
      [module.version.id]: { space: other, workflow_id: module.id },
      [near.id]: { space: home, version: near.version.id },
    });
  });
});
