import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addFolderQuery,
  createQueryFolder,
  deleteQueryFolder,
  getQueryFolder,
  listFolderQueries,
  listQueryFolders,
  removeFolderQuery,
  updateQueryFolder,
} from '@millrace/contracts/datasets/query-folders';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { fakeWorkflows, type FakeWorkflows } from '@millrace/testkit/fake-workflows';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { seedDataset } from '../testing/seed-dataset.js';

let system: SystemWithStore;
let workflows: FakeWorkflows;
beforeAll(async () => {
  system = await startWithStore([start]);
  workflows = await fakeWorkflows(system);
});
afterAll(() => system.close());

const seed = () => {
  const owner = ownerCaller();
  const space = workflows.space(owner);
  const create = (body: object = {}, caller: Caller = owner) =>
    system.callAs(caller, createQueryFolder, { body: { name: 'Mine', ...body } });
  const get = (id: string, caller: Caller = owner) =>
    system.callAs(caller, getQueryFolder, { params: { folderId: id } });
  const update = (id: string, body: object, caller: Caller = owner) =>
    system.callAs(caller, updateQueryFolder, { params: { folderId: id }, body });
  const remove = (id: string, caller: Caller = owner) =>
    system.callAs(caller, deleteQueryFolder, { params: { folderId: id } });
  const list = async (query: object = {}, caller: Caller = owner) => {
    const { results, count } = await system.callAs(caller, listQueryFolders, { query });
    expect(count).toBe(results.length);
    return results.map(({ name }) => name);
  };
  const view = async (name: string, inSpace = space) => {
    const table = await seedDataset(system.database, owner, { columns: [], space: inSpace });
    const id = newId();
    await system.database.query(
      `INSERT INTO datasets.view (id, vault_id, solution_id, dataset_id, name, author, modified_at)
       VALUES ($1, $2, $3, $4, $5, $6, now())`,
      [id, owner.vault, table.solution, table.id, name, owner.user],
    );
    return id;
  };
  const addView = (folderId: string, viewId: string, caller: Caller = owner) =>
    system.callAs(caller, addFolderQuery, { params: { folderId, viewId } });
  const removeView = (folderId: string, viewId: string, caller: Caller = owner) =>
    system.callAs(caller, removeFolderQuery, { params: { folderId, viewId } });
  const views = async (folderId: string, caller: Caller = owner) => {
    const { results, count } = await system.callAs(caller, listFolderQueries, { params: { folderId } });
    expect(count).toBe(results.length);
    return results.map(({ name }) => name);
  };
  return { owner, space, create, get, update, remove, list, view, addView, removeView, views };
};

describe('a query folder', () => {
  it('belongs to the vault or to a space', async () => {
    const { owner, space, create, get } = seed();
    const dates = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    const plain = await create();
    const counts = { sortOrder: 0, queryCount: 0, ...dates };
    expect(plain).toEqual({ id: expect.stringMatching(/^\d+$/), vaultId: owner.vault, name: 'Mine', ...counts });
    const workflowId = workflows.workflow(owner, space);
    const fields = { workspaceId: space, workflowId, color: 'red', icon: 'star', sortOrder: -3 };
    const full = await create(fields);
    expect(full).toMatchObject(fields);
    expect(await get(full.id)).toEqual(full);
  });

  it('is refused in a space, or for a workflow, that does not exist', async () => {
    const { create, list } = seed();
    const other = ownerCaller();
    const foreign = workflows.space(other);
    for (const workspaceId of [foreign, newId(), "x'"]) {
      await expect(create({ workspaceId })).rejects.toMatchObject({
        details: { 'body.workspaceId': expect.any(String) },
      });
    }
    await expect(create({ workflowId: workflows.workflow(other, foreign) })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await list()).toEqual([]);
  });

  it('of the vault can be seen by everyone and changed by its author and space administrators', async () => {
    const { owner, create, get, update, remove, list } = seed();
    const [author, other] = [memberCaller(owner, {}), memberCaller(owner, {})];
    const { id } = await create({}, author);
    expect((await get(id, other)).id).toBe(id);
    expect(await list({}, other)).toEqual(['Mine']);
    await expect(update(id, { name: 'x' }, other)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(remove(id, other)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await update(id, { name: 'Ours', color: '' }, author)).toMatchObject({ name: 'Ours' });
    await update(id, { sortOrder: 9 }, { ...other, vaultRole: 'space_admin' });
    await remove(id, author);
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of a space can be seen by readers of the space and changed by its editors', async () => {
    const { owner, space, create, get, update, remove, list } = seed();
    const [editor, reader] = [memberCaller(owner, { [space]: 'write' }), memberCaller(owner, { [space]: 'insights' })];
    await expect(create({ workspaceId: space }, reader)).rejects.toMatchObject({ code: 'forbidden' });
    const { id } = await create({ workspaceId: space }, editor);
    expect((await get(id, reader)).id).toBe(id);
    await expect(update(id, { name: 'x' }, reader)).rejects.toMatchObject({ code: 'forbidden' });
    for (const outsider of [memberCaller(owner, {}), ownerCaller()]) {
      for (const refused of [get(id, outsider), update(id, { name: 'x' }, outsider), remove(id, outsider)]) {
        await expect(refused).rejects.toMatchObject({ code: 'not_found' });
      }
      expect(await list({}, outsider)).toEqual([]);
    }
    await remove(id, editor);
  });

  it('is deleted with its space', async () => {
    const { owner, space, create, list } = seed();
    await create({ name: 'Retained' });
    await create({ workspaceId: space });
    const events = await system.sourceOf('workflows');
    await events.emit(spaceDeleted, { vault: owner.vault, space, name: 'Space', user: owner.user });
    await eventually(async () => expect(await list()).toEqual(['Retained']));
  });
});

it('a list of query folders is sorted by sortOrder and name, or as requested', async () => {
  const { owner, space, create, list } = seed();
  const workflowId = workflows.workflow(owner, space);
  await create({ name: 'c', sortOrder: 1 });
  await create({ name: 'b', sortOrder: 2, workspaceId: space });
  await create({ name: 'a', sortOrder: 2, workflowId });
  expect(await list()).toEqual(['c', 'a', 'b']);
  expect(await list({ ordering: '-name' })).toEqual(['c', 'b', 'a']);
  expect(await list({ workspaceId: space })).toEqual(['b']);
  expect(await list({ workflowId })).toEqual(['a']);
  expect(await list({ search: 'B' })).toEqual(['b']);
  expect(await list({ workspaceId: "x'" })).toEqual([]);
});

describe('a view in a query folder', () => {
  it('is in the folder once, however often it is added, until it is removed', async () => {
    const { create, get, view, addView, removeView, views } = seed();
    const [{ id }, first, second] = [await create(), await view('First'), await view('Second')];
    await addView(id, second);
    await Promise.all([addView(id, first), addView(id, first)]);
    expect(await addView(id, first)).toMatchObject({ id, queryCount: 2 });
    expect(await views(id)).toEqual(['First', 'Second']);
    await removeView(id, first);
    await expect(removeView(id, first)).rejects.toMatchObject({ code: 'not_found' });
    expect(await views(id)).toEqual(['Second']);
    expect((await get(id)).queryCount).toBe(1);
  });

  it('is added by users who may change the folder and query the view, and shown to users who may query it', async () => {
    const { owner, space, create, get, view, addView, removeView, views } = seed();
    const otherSpace = workflows.space(owner);
    const [{ id }, visible, hidden] = [
      await create({ workspaceId: space }),
      await view('Here'),
      await view('There', otherSpace),
    ];
    const editor = memberCaller(owner, { [space]: 'write' });
    await addView(id, visible, editor);
    await expect(addView(id, hidden, editor)).rejects.toMatchObject({ code: 'not_found' });
    await addView(id, hidden);
    expect(await views(id, editor)).toEqual(['Here']);
    expect(await views(id)).toEqual(['Here', 'There']);
    expect([(await get(id, editor)).queryCount, (await get(id)).queryCount]).toEqual([1, 2]);
    expect((await addView(id, visible, editor)).queryCount).toBe(1);
    const reader = memberCaller(owner, { [space]: 'execute', [otherSpace]: 'insights' });
    expect(await views(id, reader)).toEqual(['Here', 'There']);
    for (const refused of [addView(id, visible, reader), removeView(id, visible, reader)]) {
      await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
    }
    for (const wrong of [newId(), "x'"]) {
      await expect(addView(id, wrong)).rejects.toMatchObject({ code: 'not_found' });
      await expect(removeView(id, wrong)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(addView(id, await seed().view('Foreign'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(addView('0', visible)).rejects.toMatchObject({ code: 'not_found' });
  });
});
