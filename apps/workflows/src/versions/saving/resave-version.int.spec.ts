import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diffVersions, getVersion, listVersions, restoreVersion } from '@millrace/contracts/workflows/versions';
import { deleteWorkflow, getWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs, chainOf, moduleNode } from '../../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const { id, space_info: space } = await seed.workflow();
  const save = (data: object, more: object = {}) => seed.version(id, data, more);
  const restore = (versionId: string, body: object = {}, as = caller) =>
    system.callAs(as, restoreVersion, { params: { id, versionId }, body });
  const diff = (a: string, b: string) => system.callAs(caller, diffVersions, { params: { id, a, b } });
  const count = async () => (await system.callAs(caller, listVersions, { params: { id } })).count;
  return { caller, seed, id, space, save, restore, diff, count };
};

describe('restoring a version', () => {
  it('saves its data again, byte for byte, under the same name', async () => {
    const { caller, id, save, restore } = await seeded();
    const data = { ...chainOf(1), config: { z: 1, a: [9007199254740991, 1e-7] }, unknown: { b: 1, a: '\u2028' } };
    const first = await save(data, { name: 'First' });
    await save(chainOf(2));
    const restored = await restore(first.id);
    expect(restored).toMatchObject({ number: 3, name: 'First', run_count: 0, snapshot: false, author: caller.user });
    expect(JSON.stringify(restored.data)).toBe(JSON.stringify(data));
    const workflow = await system.callAs(caller, getWorkflow, { params: { id } });
    expect(workflow.latest_version_info).toBe(restored.id);
    const untouched = await system.callAs(caller, getVersion, { params: { id, versionId: first.id } });
    expect(untouched).toEqual(first);
  });

  it('returns the latest version if it is the one to restore', async () => {
    const { save, restore, count } = await seeded();
    const only = await save(chainOf(1));
    expect(await restore('latest')).toEqual(only);
    expect(await restore(only.id, { expected_version_id: only.id })).toEqual(only);
    expect(await count()).toBe(1);
  });

  it('is refused if the expected version is not the latest', async () => {
    const { save, restore, count } = await seeded();
    const first = await save(chainOf(1));
    const second = await save(chainOf(2));
    await expect(restore(first.id, { expected_version_id: first.id })).rejects.toMatchObject({
      code: 'version_conflict',
      details: { latest_version_id: second.id },
    });
    expect(await count()).toBe(2);
  });

  it.each(['a save', 'another restoring'])(
    'succeeds for exactly one of two if %s expects the same version',
    async (other) => {
      const { save, restore, count } = await seeded();
      const first = await save(chainOf(1));
      const second = await save(chainOf(2));
      const latest = await save(chainOf(3));
      const expected = { expected_version_id: latest.id };
      const rival = other === 'a save' ? () => save(chainOf(4), expected) : () => restore(second.id, expected);
      const outcomes = await Promise.allSettled([restore(first.id, expected), rival()]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'version_conflict' },
      });
      expect(await count()).toBe(4);
    },
  );

  it('keeps the modules that it named, also for users who cannot read them', async () => {
    const { caller, seed, space, save, restore } = await seeded();
    const hidden = await seed.saved();
    const first = await save({ nodes: moduleNode('m-1', hidden.version.id) });
    await save(chainOf(1));
    const writer = memberCaller(caller, { [space]: 'write' });
    expect(await restore(first.id, {}, writer)).toMatchObject({ number: 3, author: writer.user });
  });

  it('keeps a module that was deleted since, which a run then refuses', async () => {
    const { caller, seed, save, restore, count } = await seeded();
    const module = await seed.saved();
    const first = await save({ nodes: moduleNode('m-1', module.version.id) });
    await save(chainOf(1));
    await system.callAs(caller, deleteWorkflow, { params: { id: module.id } });
    expect(await restore(first.id)).toMatchObject({ number: 3 });
    expect(await count()).toBe(3);
  });

  it('requires the right to edit, and a version of this workflow', async () => {
    const { caller, seed, space, save, restore } = await seeded();
    const { id } = await save(chainOf(1));
    const other = await seed.saved();
    const reader = memberCaller(caller, { [space]: 'execute' });
    await expect(restore(id, {}, reader)).rejects.toMatchObject({ code: 'forbidden' });
    for (const unknown of [other.version.id, randomUUID(), 'x']) {
      await expect(restore(unknown)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('the diff of two versions', () => {
  it('leads from the first to the second, each given as an id or `latest`', async () => {
    const { save, diff } = await seeded();
    const first = await save(chainOf(1));
    const second = await save(chainOf(2));
    const there = await diff(first.id, 'latest');
    expect(there).toMatchObject({ from: first.id, to: second.id, same: false });
    expect(there.nodes).toEqual({ added: ['step-2'], removed: [], changed: [] });
    expect(there.edges).toMatchObject({ added: [{ source: { id: 'output/step-1/file' } }], removed: [] });
    expect((await diff('latest', first.id)).nodes).toEqual({ added: [], removed: ['step-2'], changed: [] });
    expect(await diff('latest', second.id)).toMatchObject({ same: true, from: second.id, to: second.id });
  });

  it('is not found for a version of another workflow', async () => {
    const { seed, save, diff } = await seeded();
    await save(chainOf(1));
    const other = await seed.saved();
    for (const [a, b] of [
      ['latest', other.version.id],
      [randomUUID(), 'latest'],
      ['x', 'latest'],
    ] as const) {
      await expect(diff(a, b)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
