import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteProject, getProject, listProjects, updateProject } from '@millrace/contracts/workflows/projects';
import { getWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs } from '../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  return { caller, seed, space: await seed.space({ name: 'Home' }) };
};

describe('a project', () => {
  it('shows its space and the number of its workflows', async () => {
    const { caller, seed, space } = await seeded();
    const project = await seed.project(space.id, { name: 'P' });
    expect(project).toEqual({
      id: expect.any(String),
      name: 'P',
      description: null,
      space_info: space.id,
      space_name: 'Home',
      workflows_count: 0,
      author: caller.user,
      created_date: expect.any(String),
      modified_date: expect.any(String),
    });
    await seed.workflow({ project_info: project.id }, space.id);
    const found = await system.callAs(caller, getProject, { params: { id: project.id } });
    expect(found).toEqual({ ...project, workflows_count: 1 });
  });

  it('changes only the given fields', async () => {
    const { caller, seed, space } = await seeded();
    const { id } = await seed.project(space.id, { description: 'before' });
    const change = (body: object) => system.callAs(caller, updateProject, { params: { id }, body });
    expect(await change({ name: 'After' })).toMatchObject({ name: 'After', description: 'before' });
    expect(await change({ description: null })).toMatchObject({ name: 'After', description: null });
  });

  it('leaves its workflows in the space when it is deleted', async () => {
    const { caller, seed, space } = await seeded();
    const project = await seed.project(space.id);
    const workflow = await seed.workflow({ project_info: project.id }, space.id);
    expect(workflow).toMatchObject({ project_info: project.id, project_name: 'Project' });
    expect(await system.callAs(caller, deleteProject, { params: { id: project.id } })).toBeNull();
    const left = await system.callAs(caller, getWorkflow, { params: { id: workflow.id } });
    expect(left).toMatchObject({ space_info: space.id });
    expect(left).not.toHaveProperty('project_info');
    expect(left).not.toHaveProperty('project_name');
  });

  it('is visible to readers but cannot be changed by them', async () => {
    const { caller, seed, space } = await seeded();
    const { id } = await seed.project(space.id);
    const reader = memberCaller(caller, { [space.id]: 'read' });
    expect(await system.callAs(reader, getProject, { params: { id } })).toMatchObject({ id });
    const refused = system.callAs(reader, updateProject, { params: { id }, body: { name: 'x' } });
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('the list of projects', () => {
  it('contains the projects of one space, and can be searched and ordered', async () => {
    const { caller, seed, space } = await seeded();
    const other = await seed.space();
    for (const name of ['b', 'a', 'c']) await seed.project(space.id, { name });
    await seed.project(other.id, { name: 'a' });
    const list = (query: object) => system.callAs(caller, listProjects, { params: { spaceId: space.id }, query });
    const all = await list({ ordering: '-name' });
    expect(all.results.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(await list({ search: 'A' })).toMatchObject({ count: 1, results: [{ name: 'a', space_info: space.id }] });
  });
});
