import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import {
  copyPublished,
  createSnapshot,
  deleteSnapshot,
  getPublished,
  getSnapshot,
  listPublished,
  listSnapshots,
  restoreSnapshot,
  updateSnapshot,
} from '@millrace/contracts/workflows/snapshots';
import { getVersion } from '@millrace/contracts/workflows/versions';
import { deleteWorkflow, getWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf, moduleNode } from '../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const space = await seed.space({ name: 'Home' });
  const { id, version } = await seed.saved(chainOf(1), space.id);
  const publish = (body: object = {}, as: Caller = caller) =>
    system.callAs(as, createSnapshot, { params: { id }, body: { workflow_version_info: version.id, ...body } });
  const remove = (snapshotId: string) => system.callAs(caller, deleteSnapshot, { params: { id, snapshotId } });
  /** The published flags of workflow and version. */
  const marks = async () => {
    const workflow = await system.callAs(caller, getWorkflow, { params: { id } });
    const { snapshot } = await system.callAs(caller, getVersion, { params: { id, versionId: version.id } });
    return [workflow.is_app, snapshot];
  };
  return { caller, seed, space, id, version, publish, remove, marks };
};

const outbox = (workflow: string) =>
  system.database.query(
    `SELECT payload FROM messaging.outbox WHERE name = 'workflows.snapshot.published' AND payload->>'workflow' = $1`,
    [workflow],
  );

const notFound = { code: 'not_found' };

describe('a snapshot', () => {
  it('is a version in the library, and is published as an event once', async () => {
    const { caller, space, id, version, publish, marks } = await seeded();
    const snapshot = await publish({ name: 'Release', description: 'Of today' });
    expect(snapshot).toEqual({
      id: expect.any(String),
      name: 'Release',
      description: 'Of today',
      workflow: id,
      workflow_name: 'Workflow',
      workflow_version_info: version.id,
      version_number: 1,
      space_info: space.id,
      space_name: 'Home',
      author: caller.user,
      created_date: expect.any(String),
      modified_date: expect.any(String),
    });
    expect(await system.callAs(caller, getSnapshot, { params: { id, snapshotId: snapshot.id } })).toEqual(snapshot);
    expect(await marks()).toEqual([true, true]);
    expect(await outbox(id)).toEqual([
      {
        payload: {
          snapshot: snapshot.id,
          name: 'Release',
          vault: caller.vault,
          space: space.id,
          workflow: id,
          workflowName: 'Workflow',
          version: version.id,
          author: caller.user,
          at: snapshot.created_date,
        },
      },
    ]);
  });

  it('has the name of its version, else of the workflow', async () => {
    const { caller, seed, id, publish } = await seeded();
    expect(await publish()).toMatchObject({ name: 'Workflow', description: null });
    expect(await publish({ name: '' })).toMatchObject({ name: 'Workflow' });
    const named = await seed.version(id, chainOf(2), { name: `${'n'.repeat(254)}💡` });
    const body = { workflow_version_info: named.id };
    const snapshot = await system.callAs(caller, createSnapshot, { params: { id }, body });
    expect(snapshot).toMatchObject({ name: 'n'.repeat(254), version_number: 2 });
  });

  it('is created once with a version that is saved as a snapshot', async () => {
    const { caller, seed, id, marks } = await seeded();
    const saved = await seed.version(id, chainOf(1), { snapshot: true });
    expect(saved).toMatchObject({ number: 1, snapshot: true });
    expect(await seed.version(id, chainOf(1), { snapshot: true })).toEqual(saved);
    expect(await marks()).toEqual([true, true]);
    const next = await seed.version(id, chainOf(2), { snapshot: true, name: 'Two' });
    const { results } = await system.callAs(caller, listSnapshots, { params: { id } });
    expect(results.map(({ name, workflow_version_info: of }) => [name, of])).toEqual([
      ['Two', next.id],
      ['Workflow', saved.id],
    ]);
    expect(await outbox(id)).toHaveLength(2);
  });

  it('of a version with errors is refused with a list of the errors, and leaves nothing', async () => {
    const { caller, seed, id, marks } = await seeded();
    const draft = { nodes: { 'a-1': { type: 'TOOL', inputs: {} } } };
    const refused = {
      code: 'validation_error',
      details: { errors: [expect.objectContaining({ code: expect.any(String) })] },
    };
    await expect(seed.version(id, draft, { snapshot: true })).rejects.toMatchObject(refused);
    const { id: versionId } = await seed.version(id, draft);
    const body = { workflow_version_info: versionId };
    await expect(system.callAs(caller, createSnapshot, { params: { id }, body })).rejects.toMatchObject({
      ...refused,
      details: { 'body.workflow_version_info': expect.any(String) },
    });
    expect((await system.callAs(caller, listSnapshots, { params: { id } })).count).toBe(0);
    expect(await marks()).toEqual([false, false]);
    expect(await outbox(id)).toEqual([]);
  });

  it('is created once if its version is published repeatedly under the same name at the same moment', async () => {
    const { caller, id, publish } = await seeded();
    const all = await Promise.all(Array.from({ length: 50 }, () => publish({ name: 'Release', description: 'x' })));
    expect(new Set(all.map((one) => one.id)).size).toBe(1);
    expect(await publish({ name: 'Release', description: 'y' })).toEqual(all[0]);
    expect((await system.callAs(caller, listSnapshots, { params: { id } })).count).toBe(1);
    expect(await outbox(id)).toHaveLength(1);
    const other = await publish({ name: 'Other' });
    expect(other.id).not.toBe(all[0]?.id);
    expect(await outbox(id)).toHaveLength(2);
  });

  it('cannot have the name of another snapshot of its version', async () => {
    const { caller, id, publish } = await seeded();
    const [first, second] = [await publish({ name: 'First' }), await publish({ name: 'Second' })];
    const rename = (name: string) =>
      system.callAs(caller, updateSnapshot, { params: { id, snapshotId: second.id }, body: { name } });
    await expect(rename('First')).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.name': expect.any(String) },
    });
    expect(await rename('Second')).toMatchObject({ name: 'Second' });
    expect(await rename('Third')).toMatchObject({ name: 'Third' });
    expect((await publish({ name: 'Third' })).id).toBe(second.id);
    expect((await publish({ name: 'First' })).id).toBe(first.id);
    expect((await publish({ name: 'Second' })).id).not.toBe(second.id);
  });

  it('is found under its name even if the database contains duplicates from before it refused them', async () => {
    const { caller, id, version, publish } = await seeded();
    const existing = await publish({ name: 'Release' });
    const insert = (name: string, unique: string | null) =>
      system.database.query(
        `INSERT INTO workflows.snapshot (id, vault_id, workflow_id, version_id, name, unique_name, author, modified_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, now())`,
        [caller.vault, id, version.id, name, unique, caller.user],
      );
    await insert('Release', null);
    await insert('Release', null);
    await expect(insert('Release', 'Release')).rejects.toThrow('snapshot_version_id_unique_name_key');
    expect((await publish({ name: 'Release' })).id).toBe(existing.id);
  });

  it('can change its name and description, and clear the description', async () => {
    const { caller, id, publish } = await seeded();
    const { id: snapshotId } = await publish({ description: 'before' });
    const change = (body: object) => system.callAs(caller, updateSnapshot, { params: { id, snapshotId }, body });
    expect(await change({ name: 'After' })).toMatchObject({ name: 'After', description: 'before' });
    expect(await change({ description: null })).toMatchObject({ name: 'After', description: null });
  });

  it('can be restored as the latest version', async () => {
    const { caller, seed, id, publish } = await seeded();
    const { id: snapshotId } = await publish();
    const second = await seed.version(id, chainOf(2));
    const restore = (body: object) => system.callAs(caller, restoreSnapshot, { params: { id, snapshotId }, body });
    const stale = restore({ expected_version_id: snapshotId });
    await expect(stale).rejects.toMatchObject({ code: 'version_conflict', details: { latest_version_id: second.id } });
    expect(await restore({ expected_version_id: second.id })).toMatchObject({
      number: 3,
      data: chainOf(1),
      snapshot: false,
    });
  });

  it('can be created, changed and deleted by editors, and seen by readers', async () => {
    const { caller, space, id, publish } = await seeded();
    const reader = memberCaller(caller, { [space.id]: 'execute' });
    const { id: snapshotId } = await publish();
    const params = { id, snapshotId };
    await expect(publish({}, reader)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(system.callAs(reader, updateSnapshot, { params, body: {} })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(system.callAs(reader, deleteSnapshot, { params })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(system.callAs(reader, restoreSnapshot, { params })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await system.callAs(reader, getSnapshot, { params })).toMatchObject({ id: snapshotId });
    const nonMember = memberCaller(caller, {});
    await expect(system.callAs(nonMember, getSnapshot, { params })).rejects.toMatchObject(notFound);
  });

  it('is found below its own workflow only', async () => {
    const { caller, seed, publish } = await seeded();
    const { id: snapshotId } = await publish();
    const other = await seed.saved();
    const params = { id: other.id, snapshotId };
    await expect(system.callAs(caller, getSnapshot, { params })).rejects.toMatchObject(notFound);
    await expect(system.callAs(caller, deleteSnapshot, { params })).rejects.toMatchObject(notFound);
  });
});

describe('workflow and version are marked as published exactly while a snapshot exists', () => {
  it('with two snapshots that are deleted one after the other', async () => {
    const { publish, remove, marks } = await seeded();
    const [one, two] = [await publish({ name: 'One' }), await publish({ name: 'Two' })];
    await remove(one.id);
    expect(await marks()).toEqual([true, true]);
    await remove(two.id);
    expect(await marks()).toEqual([false, false]);
    await expect(remove(two.id)).rejects.toMatchObject(notFound);
  });

  it('with several snapshots that are created and deleted concurrently', async () => {
    const { publish, remove, marks } = await seeded();
    for (let round = 0; round < 3; round++) {
      const made = await Promise.all([1, 2, 3].map((at) => publish({ name: `Release ${at}` })));
      expect(await marks()).toEqual([true, true]);
      const [existing, ...rest] = made;
      await Promise.all(rest.map(({ id }) => remove(id)));
      expect(await marks()).toEqual([true, true]);
      const [, fresh] = await Promise.all([remove(existing?.id ?? ''), publish()]);
      expect(await marks()).toEqual([true, true]);
      await remove(fresh.id);
      expect(await marks()).toEqual([false, false]);
    }
  });
});

describe('the library', () => {
  it('shows published versions to all users of the vault, and to no others', async () => {
    const { caller, space, publish } = await seeded();
    const snapshot = await publish({ name: 'Release' });
    const nonMember = memberCaller(caller, {});
    expect(await system.callAs(nonMember, listPublished)).toEqual({ results: [snapshot], count: 1 });
    const query = (filter: object) => system.callAs(nonMember, listPublished, { query: filter });
    expect(await query({ space: space.id, search: 'rele' })).toMatchObject({ count: 1 });
    expect(await query({ space: caller.vault })).toMatchObject({ count: 0 });
    expect(await query({ space: 'x' })).toMatchObject({ count: 0 });
    const params = { snapshotId: snapshot.id };
    expect(await system.callAs(nonMember, getPublished, { params })).toEqual({ ...snapshot, data: chainOf(1) });
    const foreign = ownerCaller();
    expect(await system.callAs(foreign, listPublished)).toMatchObject({ count: 0 });
    await expect(system.callAs(foreign, getPublished, { params })).rejects.toMatchObject(notFound);
  });

  it('gives byte-for-byte copies to spaces that the user may edit', async () => {
    const { caller, seed, publish } = await seeded();
    const { id: snapshotId } = await publish({ name: 'Release', description: 'Of today' });
    const [own, read] = [await seed.space(), await seed.space()];
    const member = memberCaller(caller, { [own.id]: 'write', [read.id]: 'read' });
    const copy = (body: { space: string; name?: string }) =>
      system.callAs(member, copyPublished, { params: { snapshotId }, body });
    const made = await copy({ space: own.id });
    expect(made).toMatchObject({ name: 'Release', description: 'Of today', space_info: own.id, is_app: false });
    const version = await system.callAs(member, getVersion, { params: { id: made.id, versionId: 'latest' } });
    expect(version).toMatchObject({ number: 1, snapshot: false, author: member.user, data: chainOf(1) });
    await expect(copy({ space: read.id })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(copy({ space: (await seed.space()).id })).rejects.toMatchObject(notFound);
  });

  it('contains versions that all users may use as modules while they are published', async () => {
    const { caller, seed, id, version, publish, remove } = await seeded();
    const own = await seed.space();
    const member = memberCaller(caller, { [own.id]: 'write' });
    const asMember = seedAs(system.callAs, member);
    const use = (key: string) => asMember.saved({ nodes: moduleNode('m-1', key) }, own.id);
    const refused = { details: { errors: [expect.objectContaining({ code: 'unknown_module' })] } };
    await expect(use(version.id)).rejects.toMatchObject(refused);
    const { id: snapshotId } = await publish();
    const outer = await use(version.id);
    // The workflow itself may get other versions, which are not published.
    await expect(use(id)).rejects.toMatchObject(refused);
    await remove(snapshotId);
    await expect(use(version.id)).rejects.toMatchObject(refused);
    const existing = asMember.version(outer.id, { nodes: moduleNode('m-1', version.id), config: { zoom: 1 } });
    expect(await existing).toMatchObject({ number: 2 });
  });

  it('loses the snapshots of a deleted workflow', async () => {
    const { caller, id, publish } = await seeded();
    await publish();
    await system.callAs(caller, deleteWorkflow, { params: { id } });
    expect(await system.callAs(caller, listPublished)).toMatchObject({ count: 0 });
  });
});
