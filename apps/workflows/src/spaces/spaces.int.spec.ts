import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSpace, deleteSpace, getSpace, listSpaces, updateSpace } from '@millrace/contracts/workflows/spaces';
import { getWorkflow, listSpaceWorkflows } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs } from '../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const seeded = () => {
  const caller = ownerCaller();
  return { caller, seed: seedAs(system.callAs, caller) };
};

describe('a space', () => {
  it('omits fields without a value, or shows them as null', async () => {
    const { caller, seed } = seeded();
    const space = await seed.space({ name: 'Plain' });
    expect(space).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Plain',
      description: null,
      vault_info: caller.vault,
      playground: false,
      role: 'owner',
      author: caller.user,
      author_info: caller.user,
      projects_count: 0,
      workflows_count: 0,
      created_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      modified_date: expect.stringMatching(/\.\d{3}Z$/),
    });
    expect(await system.callAs(caller, getSpace, { params: { id: space.id } })).toEqual(space);
  });

  it('has all fields of the request that created it', async () => {
    const { seed } = seeded();
    const fields = { name: 'Ω', description: 'd', color: '#fff', playground: true };
    expect(await seed.space(fields)).toMatchObject(fields);
  });

  it('changes only the given fields', async () => {
    const { caller, seed } = seeded();
    const space = await seed.space({ description: 'before', color: 'red' });
    const params = { id: space.id };
    const metadata = { layout: { zoom: 1.5 }, tags: ['a', null] };
    const changed = await system.callAs(caller, updateSpace, { params, body: { name: 'After', metadata } });
    expect(changed).toMatchObject({ name: 'After', description: 'before', color: 'red', metadata });
    expect(changed.modified_date > space.modified_date).toBe(true);
    const emptied = await system.callAs(caller, updateSpace, { params, body: { description: null, color: '' } });
    expect(emptied).toMatchObject({ name: 'After', description: null });
    expect(emptied).not.toHaveProperty('color');
  });

  it('ignores unknown fields', async () => {
    const { caller, seed } = seeded();
    const { id } = await seed.space();
    const body = { name: 'New', vault_info: 'other', author: 'me' } as { name: string };
    expect(await system.callAs(caller, updateSpace, { params: { id }, body })).toMatchObject({
      name: 'New',
      vault_info: caller.vault,
      author: caller.user,
    });
  });

  it('is deleted with its projects and workflows', async () => {
    const { caller, seed } = seeded();
    const space = await seed.space();
    await seed.project(space.id);
    const { id } = await seed.saved(undefined, space.id);
    expect(await system.callAs(caller, deleteSpace, { params: { id: space.id } })).toBeNull();
    const notFound = { code: 'not_found' };
    await expect(system.callAs(caller, getSpace, { params: { id: space.id } })).rejects.toMatchObject(notFound);
    await expect(system.callAs(caller, getWorkflow, { params: { id } })).rejects.toMatchObject(notFound);
    await expect(system.callAs(caller, deleteSpace, { params: { id: space.id } })).rejects.toMatchObject(notFound);
    const left = await system.database.query<{ n: number }>(
      'SELECT (SELECT count(*) FROM workflows.project WHERE space_id = $1)::int + (SELECT count(*) FROM workflows.version WHERE workflow_id = $2)::int AS n',
      [space.id, id],
    );
    expect(left).toEqual([{ n: 0 }]);
  });
});

describe('the list of spaces', () => {
  it('counts the projects and workflows of each space', async () => {
    const { caller, seed } = seeded();
    const [first, second] = [await seed.space({ name: 'First' }), await seed.space({ name: 'Second' })];
    await seed.project(first.id);
    await seed.project(first.id);
    await seed.workflow({}, second.id);
    const { results } = await system.callAs(caller, listSpaces, { query: { ordering: 'name' } });
    expect(results.map(({ name, projects_count, workflows_count }) => [name, projects_count, workflows_count])).toEqual(
      [
        ['First', 2, 0],
        ['Second', 0, 1],
      ],
    );
  });

  it('can be searched, ordered and paged', async () => {
    const { caller, seed } = seeded();
    for (const name of ['Alpha', 'alphabet', 'Beta', '100%']) await seed.space({ name });
    await seed.space({ name: 'Other', description: 'ends with alpha' });
    const names = async (query: object) => {
      const { results, count } = await system.callAs(caller, listSpaces, { query });
      return { names: results.map(({ name }) => name), count };
    };
    expect(await names({ search: 'ALPHA', ordering: 'created_date' })).toEqual({
      names: ['Alpha', 'alphabet', 'Other'],
      count: 3,
    });
    expect(await names({ search: '%' })).toEqual({ names: ['100%'], count: 1 });
    expect(await names({ ordering: '-created_date', page: 2, page_size: 2 })).toEqual({
      names: ['Beta', 'alphabet'],
      count: 5,
    });
    expect(await names({ page: 9 })).toEqual({ names: [], count: 5 });
  });

  it('contains only the spaces in which the caller has a role', async () => {
    const { caller, seed } = seeded();
    const [seen, queried] = [await seed.space(), await seed.space()];
    await seed.space();
    const member = memberCaller(caller, { [seen.id]: 'read', [queried.id]: 'insights' });
    const { results, count } = await system.callAs(member, listSpaces);
    const roles = Object.fromEntries(results.map(({ id, role }) => [id, role]));
    expect(roles).toEqual({ [seen.id]: 'read', [queried.id]: 'insights' });
    expect(count).toBe(2);
    expect((await system.callAs(ownerCaller(), listSpaces)).count).toBe(0);
  });
});

describe('a role in a space', () => {
  it('permits what it covers and forbids everything else, and spaces without a role are hidden', async () => {
    const { caller, seed } = seeded();
    const [written, hidden] = [await seed.space(), await seed.space()];
    const member = memberCaller(caller, { [written.id]: 'write' });
    const rename = (id: string) => system.callAs(member, updateSpace, { params: { id }, body: { name: 'Mine' } });
    expect(await system.callAs(member, getSpace, { params: { id: written.id } })).toMatchObject({ id: written.id });
    await expect(rename(written.id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(rename(hidden.id)).rejects.toMatchObject({ code: 'not_found' });
    const insights = memberCaller(caller, { [written.id]: 'insights' });
    const list = system.callAs(insights, listSpaceWorkflows, { params: { spaceId: written.id } });
    await expect(list).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('creating a space under an idempotency key', () => {
  it('creates one space, and returns the same response twice', async () => {
    const { caller } = seeded();
    const createOnce = () =>
      system.callAs(caller, createSpace, { body: { name: 'Once' } }, { idempotencyKey: 'key-1' });
    expect(await createOnce()).toEqual(await createOnce());
    expect((await system.callAs(caller, listSpaces)).count).toBe(1);
  });
});
