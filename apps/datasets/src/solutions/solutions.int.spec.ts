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
import { startWithStore, type StoringSystem } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { seedDataset } from '../testing/seed-dataset.js';

let system: StoringSystem;
let workflows: FakeWorkflows;
let events: EventSource;
beforeAll(async () => {
  system = await startWithStore([start]);
  workflows = await fakeWorkflows(system);
  events = await system.sourceOf('workflows');
});
afterAll(() => system.close());

const seeded = () => {
  const owner = ownerCaller();
  const space = workflows.space(owner);
  const create = (body: object = {}, who: Caller = owner) =>
    system.callAs(who, createSolution, { body: { name: 'Hosts', space, ...body } });
  const get = (id: string, who: Caller = owner) => system.callAs(who, getSolution, { params: { id } });
  const update = (id: string, body: object, who: Caller = owner) =>
    system.callAs(who, updateSolution, { params: { id }, body });
  const remove = (id: string, who: Caller = owner) => system.callAs(who, deleteSolution, { params: { id } });
  const list = async (query: object = {}, who: Caller = owner) => {
    const { results, count } = await system.callAs(who, listSolutions, { query });
    expect(count).toBe(results.length);
    return results.map(({ name }) => name);
  };
  return { owner, space, create, get, update, remove, list };
};

describe('a solution', () => {
  it('holds what it was given, and leaves out what it was not', async () => {
    const { owner, space, create, get } = seeded();
    const workflow = workflows.workflow(owner, space);
    const plain = await create();
    const expected = { id: plain.id, name: 'Hosts', space, is_public: false, author: owner.user, tags: [] };
    const dates = { created_date: expect.any(String), modified_date: expect.any(String) };
    expect(plain).toEqual({ ...expected, datasets_count: 0, ...dates });
    const given = { description: 'All', icon: 'globe', color: '#fff', is_public: true, tags: ['a', 'b'] };
    const full = await create({ ...given, workflow_id: workflow });
    expect(full).toMatchObject({ ...given, workflow_id: workflow });
    expect(await get(full.id)).toEqual(full);
    const editor = memberCaller(owner, { [space]: 'write' });
    expect(await create({ space: space.toUpperCase() }, editor)).toMatchObject({ space });
  });

  it('changes in what is given alone; empty texts are none', async () => {
    const { owner, space, create, update } = seeded();
    const workflow = workflows.workflow(owner, space);
    const { id } = await create({ description: 'All', icon: 'globe', workflow_id: workflow, tags: ['a'] });
    expect(await update(id, { name: 'New' })).toMatchObject({ name: 'New', description: 'All', workflow_id: workflow });
    const emptied = await update(id, { description: '', icon: '', color: '', workflow_id: '', tags: [] });
    expect(Object.keys(emptied)).not.toEqual(expect.arrayContaining(['description']));
    for (const field of ['description', 'icon', 'color', 'workflow_id']) expect(emptied).not.toHaveProperty([field]);
    expect(emptied.tags).toEqual([]);
  });

  it('is refused in a space and with a workflow that are not there', async () => {
    const { owner, space, create, update, list } = seeded();
    const elsewhere = ownerCaller();
    const foreign = workflows.workflow(elsewhere, workflows.space(elsewhere));
    for (const wrong of [workflows.space(elsewhere), newId(), 'x']) {
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

  it('is made once for one Idempotency-Key', async () => {
    const { owner, space, list } = seeded();
    const request = { body: { name: 'Once', space } };
    const [first, second] = await Promise.all(
      [1, 2].map(() => system.callAs(owner, createSolution, request, { idempotencyKey: 'key' })),
    );
    expect(first).toEqual(second);
    expect(await list()).toEqual(['Once']);
  });
});

describe('who may', () => {
  it('query sees it, edit changes it, and others do not know of it', async () => {
    const { owner, space, create, get, update, remove, list } = seeded();
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
    for (const stranger of [memberCaller(owner, {}), ownerCaller()]) {
      for (const refused of [get(id, stranger), update(id, { name: 'x' }, stranger), remove(id, stranger)]) {
        await expect(refused).rejects.toMatchObject({ code: 'not_found' });
      }
      expect(await list({}, stranger)).toEqual([]);
    }
    await remove(id, memberCaller(owner, { [space]: 'write' }));
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('see a public one is everybody of the vault; its space still says who changes it', async () => {
    const { owner, create, get, update, list } = seeded();
    const { id } = await create({ is_public: true });
    const member = memberCaller(owner, {});
    expect((await get(id, member)).id).toBe(id);
    expect(await list({}, member)).toEqual(['Hosts']);
    await expect(update(id, { name: 'x' }, member)).rejects.toMatchObject({ code: 'not_found' });
    await expect(get(id, ownerCaller())).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('a list is of the vault, a space, or what is searched', async () => {
  const { owner, space, create, list } = seeded();
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

describe('what is in a solution', () => {
  it('goes with it, and its tables are dropped', async () => {
    const { owner, space, remove } = seeded();
    const { id, solution, number } = await seedDataset(system.database, owner, { columns: [['a', 'text']], space });
    await remove(solution);
    expect(await system.database.query('SELECT id FROM datasets.dataset WHERE id = $1', [id])).toEqual([]);
    await eventually(async () => expect(await isThere(number)).toBe(false));
  });

  it('goes with its space, and nothing of another space', async () => {
    const { owner, space, create, list } = seeded();
    await create({ name: 'In it' });
    const { number } = await seedDataset(system.database, owner, { columns: [['a', 'text']], space });
    const other = workflows.space(owner);
    const { number: kept } = await seedDataset(system.database, owner, { columns: [['a', 'text']], space: other });
    await events.emit(spaceDeleted, { vault: owner.vault, space, name: 'Space', user: owner.user });
    await eventually(async () => expect(await list()).toEqual(['Seeded']));
    await eventually(async () => expect(await isThere(number)).toBe(false));
    expect(await isThere(kept)).toBe(true);
  });
});

it('none is made in a space that was deleted just then, nor for a workflow', async () => {
  const { owner, space, create, list } = seeded();
  const gone = workflows.space(owner);
  const workflow = workflows.workflow(owner, space);
  await events.emit(spaceDeleted, { vault: owner.vault, space: gone, name: 'Space', user: owner.user });
  await events.emit(workflowDeleted, { vault: owner.vault, workflow });
  const noted = 'SELECT id FROM datasets.gone_place WHERE id = ANY($1)';
  await eventually(async () => expect(await system.database.query(noted, [[gone, workflow]])).toHaveLength(2));
  // The other service said that they were there a moment ago.
  await expect(create({ space: gone })).rejects.toMatchObject({ code: 'not_found' });
  await expect(create({ workflow_id: workflow })).rejects.toMatchObject({ code: 'not_found' });
  expect(await list()).toEqual([]);
});

it('a workflow that is deleted feeds it no more, which is no change of the solution', async () => {
  const { owner, space, create, get } = seeded();
  const workflow = workflows.workflow(owner, space);
  const { workflow_id, ...rest } = await create({ workflow_id: workflow });
  expect(workflow_id).toBe(workflow);
  await events.emit(workflowDeleted, { vault: owner.vault, workflow });
  await eventually(async () => expect(await get(rest.id)).toEqual(rest));
});
