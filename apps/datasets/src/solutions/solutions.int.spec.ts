import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createSolution,
  deleteSolution,
  getSolution,
  listSolutions,
  updateSolution,
} from '@millrace/contracts/datasets/solutions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { fakeWorkflows, type FakeWorkflows } from '@millrace/testkit/fake-workflows';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { seedDataset } from '../testing/seed-dataset.js';

let system: SystemWithStore;
let workflows: FakeWorkflows;
let events: EventSource;
beforeAll(async () => {
  system = await startWithStore([start]);
  workflows = await fakeWorkflows(system);
  events = await system.sourceOf('workflows');
});
afterAll(() => system.close());

const seed = () => {
  const owner = ownerCaller();
  const space = workflows.space(owner);
  const create = (body: object = {}, caller: Caller = owner) =>
    system.callAs(caller, createSolution, { body: { name: 'Hosts', space, ...body } });
  const get = (id: string, caller: Caller = owner) => system.callAs(caller, getSolution, { params: { id } });
  const update = (id: string, body: object, caller: Caller = owner) =>
    system.callAs(caller, updateSolution, { params: { id }, body });
  const remove = (id: string, caller: Caller = owner) => system.callAs(caller, deleteSolution, { params: { id } });
  const list = async (query: object = {}, caller: Caller = owner) => {
    const { results, count } = await system.callAs(caller, listSolutions, { query });
    expect(count).toBe(results.length);
    return results.map(({ name }) => name);
  };
  return { owner, space, create, get, update, remove, list };
};

describe('a solution', () => {
  it('has the fields that were set and no others', async () => {
    const { owner, space, create, get } = seed();
    const workflow = workflows.workflow(owner, space);
    const plain = await create();
    const expected = { id: plain.id, name: 'Hosts', space, is_public: false, author: owner.user, tags: [] };
    const dates = { created_date: expect.any(String), modified_date: expect.any(String) };
    expect(plain).toEqual({ ...expected, datasets_count: 0, ...dates });
    const fields = { description: 'All', icon: 'globe', color: '#fff', is_public: true, tags: ['a', 'b'] };
    const full = await create({ ...fields, workflow_id: workflow });
    expect(full).toMatchObject({ ...fields, workflow_id: workflow });
    expect(await get(full.id)).toEqual(full);
    const editor = memberCaller(owner, { [space]: 'write' });
    expect(await create({ space: space.toUpperCase() }, editor)).toMatchObject({ space });
  });

  it('changes only the fields of the request, and an empty text removes one', async () => {
    const { owner, space, create, update } = seed();
    const workflow = workflows.workflow(owner, space);
    const { id } = await create({ description: 'All', icon: 'globe', workflow_id: workflow, tags: ['a'] });
    expect(await update(id, { name: 'New' })).toMatchObject({ name: 'New', description: 'All', workflow_id: workflow });
    const emptied = await update(id, { description: '', icon: '', color: '', workflow_id: '', tags: [] });
    expect(Object.keys(emptied)).not.toEqual(expect.arrayContaining(['description']));
    for (const field of ['description', 'icon', 'color', 'workflow_id']) expect(emptied).not.toHaveProperty([field]);
    expect(emptied.tags).toEqual([]);
  });

  it('is refused in a space, or with a workflow, that does not exist', async () => {
    const { owner, space, create, update, list } = seed();
    const otherOwner = ownerCaller();
    const foreign = workflows.workflow(otherOwner, workflows.space(otherOwner));
    for (const wrong of [workflows.space(otherOwner), newId(), 'x']) {
      await expect(create({ space: wrong })).rejects.toMatchObject({
        code: 'validation_error',
        details: { 'body.space': expect.any(String) },
      });
    }
    for (const workflow_id of [foreign, newId(), "x'"]) {
      await expect(create({ workflow_id })).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await list()).toEqual([]);
    const { id } = await create({ workflow_id: workflows.workflow(owner, space) });
    await expect(update(id, { workflow_id: foreign })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is created once for one Idempotency-Key', async () => {
    const { owner, space, list } = seed();
    const request = { body: { name: 'Once', space } };
    const [first, second] = await Promise.all(
      [1, 2].map(() => system.callAs(owner, createSolution, request, { idempotencyKey: 'key' })),
    );
    expect(first).toEqual(second);
    expect(await list()).toEqual(['Once']);
  });
});

describe('access to a solution', () => {
  it('lets readers see it and editors change it, and hides it from others', async () => {
    const { owner, space, create, get, update, remove, list } = seed();
    const { id } = await create();
    const insights = memberCaller(owner, { [space]: 'insights' });
    expect((await get(id, insights)).id).toBe(id);
    expect(await list({}, insights)).toEqual(['Hosts']);
    for (const role of ['insights', 'read', 'execute'] as const) {
      const reader = memberCaller(owner, { [space]: role });
      for (const refused of [update(id, { name: 'x' }, reader), remove(id, reader), create({}, reader)]) {
        await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
      }
    }
    for (const outsider of [memberCaller(owner, {}), ownerCaller()]) {
      for (const refused of [get(id, outsider), update(id, { name: 'x' }, outsider), remove(id, outsider)]) {
        await expect(refused).rejects.toMatchObject({ code: 'not_found' });
      }
      expect(await list({}, outsider)).toEqual([]);
    }
    await remove(id, memberCaller(owner, { [space]: 'write' }));
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('lets everyone in the vault see a public one, and only editors of its space change it', async () => {
    const { owner, create, get, update, list } = seed();
    const { id } = await create({ is_public: true });
    const member = memberCaller(owner, {});
    expect((await get(id, member)).id).toBe(id);
    expect(await list({}, member)).toEqual(['Hosts']);
    await expect(update(id, { name: 'x' }, member)).rejects.toMatchObject({ code: 'not_found' });
    await expect(get(id, ownerCaller())).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('a list of solutions can be filtered by vault, space and search text', async () => {
  const { owner, space, create, list } = seed();
  const other = workflows.space(owner);
  await create({ name: 'Alpha', description: 'of 100% cotton' });
  await create({ name: 'Beta', space: other });
  await create({ name: 'Gamma' });
  expect(await list({ ordering: 'name' })).toEqual(['Alpha', 'Beta', 'Gamma']);
  expect(await list({ ordering: '-name', space })).toEqual(['Gamma', 'Alpha']);
  expect(await list({ vault: owner.vault, space: other })).toEqual(['Beta']);
  expect(await list({ vault: newId() })).toEqual([]);
  expect(await list({ vault: "x'" })).toEqual([]);
  expect(await list({ space: "x'" })).toEqual([]);
  expect(await list({ search: '100% COT' })).toEqual(['Alpha']);
  expect(await list({ search: '_' })).toEqual([]);
});

const isThere = async (number: number) => {
  const [row] = await system.database.query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [
    `live.d_${number}`,
  ]);
  return row?.name !== null;
};

describe('the contents of a solution', () => {
  it('are deleted with it, and the physical tables are dropped', async () => {
    const { owner, space, remove } = seed();
    const { id, solution, number } = await seedDataset(system.database, owner, { columns: [['a', 'text']], space });
    await remove(solution);
    expect(await system.database.query('SELECT id FROM datasets.dataset WHERE id = $1', [id])).toEqual([]);
    await eventually(async () => expect(await isThere(number)).toBe(false));
  });

  it('are deleted with its space, unlike those of another space', async () => {
    const { owner, space, create, list } = seed();
    await create({ name: 'In it' });
    const { number } = await seedDataset(system.database, owner, { columns: [['a', 'text']], space });
    const other = workflows.space(owner);
    const { number: remaining } = await seedDataset(system.database, owner, { columns: [['a', 'text']], space: other });
    await events.emit(spaceDeleted, { vault: owner.vault, space, name: 'Space', user: owner.user });
    await eventually(async () => expect(await list()).toEqual(['Seeded']));
    await eventually(async () => expect(await isThere(number)).toBe(false));
    expect(await isThere(remaining)).toBe(true);
  });
});

it('a solution cannot be created in a space, or for a workflow, that was just deleted', async () => {
  const { owner, space, create, list } = seed();
  const deletedSpace = workflows.space(owner);
  const workflow = workflows.workflow(owner, space);
  await events.emit(spaceDeleted, { vault: owner.vault, space: deletedSpace, name: 'Space', user: owner.user });
  await events.emit(workflowDeleted, { vault: owner.vault, workflow });
  const deletedPlaces = 'SELECT id FROM datasets.gone_place WHERE id = ANY($1)';
  await eventually(async () =>
    expect(await system.database.query(deletedPlaces, [[deletedSpace, workflow]])).toHaveLength(2),
  );
  // The fake of the workflows service still reports both.
  await expect(create({ space: deletedSpace })).rejects.toMatchObject({ code: 'not_found' });
  await expect(create({ workflow_id: workflow })).rejects.toMatchObject({ code: 'not_found' });
  expect(await list()).toEqual([]);
});

it('a deleted workflow is removed from its solution without changing modified_date', async () => {
  const { owner, space, create, get } = seed();
  const workflow = workflows.workflow(owner, space);
  const { workflow_id, ...rest } = await create({ workflow_id: workflow });
  expect(workflow_id).toBe(workflow);
  await events.emit(workflowDeleted, { vault: owner.vault, workflow });
  await eventually(async () => expect(await get(rest.id)).toEqual(rest));
});
