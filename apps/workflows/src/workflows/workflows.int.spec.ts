import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  deleteWorkflow,
  getWorkflow,
  getWorkflowStatus,
  listSpaceWorkflows,
  listVaultWorkflows,
  listWorkflows,
  updateWorkflow,
} from '@millrace/contracts/workflows/workflows';
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

const invalid = { code: 'validation_error' };
const notFound = { code: 'not_found' };

describe('a workflow', () => {
  it('is idle at first, without a version, a project or a last run', async () => {
    const { caller, seed, space } = await seeded();
    const workflow = await seed.workflow({ name: 'W' }, space.id);
    expect(workflow).toEqual({
      id: expect.any(String),
      name: 'W',
      description: null,
      space_info: space.id,
      space_name: 'Home',
      author: caller.user,
      executing: false,
      status: 'IDLE',
      schedule_info: null,
      is_app: false,
      has_database: false,
      created_date: expect.any(String),
      modified_date: expect.any(String),
    });
    const params = { id: workflow.id };
    expect(await system.callAs(caller, getWorkflow, { params })).toEqual(workflow);
    expect(await system.callAs(caller, getWorkflowStatus, { params })).toEqual({
      id: workflow.id,
      status: 'IDLE',
      executing: false,
      schedule_info: null,
    });
  });

  it('shows its latest version', async () => {
    const { caller, seed } = await seeded();
    const { id, version } = await seed.saved();
    const workflow = await system.callAs(caller, getWorkflow, { params: { id } });
    expect(workflow).toMatchObject({ latest_version_info: version.id });
    expect(workflow.modified_date > workflow.created_date).toBe(true);
  });

  it('changes only the given fields', async () => {
    const { caller, seed, space } = await seeded();
    const project = await seed.project(space.id);
    const { id } = await seed.workflow({ description: 'before' }, space.id);
    const change = (body: object) => system.callAs(caller, updateWorkflow, { params: { id }, body });
    expect(await change({ long_description: '# Long', project_info: project.id })).toMatchObject({
      name: 'Workflow',
      description: 'before',
      long_description: '# Long',
      project_info: project.id,
      project_name: 'Project',
    });
    const { results } = await system.callAs(caller, listWorkflows);
    expect(results).toMatchObject([{ id, description: 'before', project_name: 'Project' }]);
    expect(results[0]).not.toHaveProperty('long_description');
    const emptied = await change({ long_description: '', project_info: null, description: null, name: 'After' });
    expect(emptied).toMatchObject({ name: 'After', description: null });
    for (const field of ['long_description', 'project_info', 'project_name']) expect(emptied).not.toHaveProperty(field);
  });

  it('can be put into projects of its own space only', async () => {
    const { caller, seed, space } = await seeded();
    const otherProject = await seed.project((await seed.space()).id);
    const foreign = seedAs(system.callAs, ownerCaller());
    const unseen = await foreign.project((await foreign.space()).id);
    const create = (project_info: string) => seed.workflow({ project_info }, space.id);
    await expect(create(otherProject.id)).rejects.toMatchObject({
      ...invalid,
      details: { 'body.project_info': expect.any(String) },
    });
    await expect(create(unseen.id)).rejects.toMatchObject(notFound);
    await expect(create('no-id')).rejects.toMatchObject(notFound);
    const { id } = await seed.workflow({}, space.id);
    const body = { name: 'Half saved', project_info: otherProject.id };
    await expect(system.callAs(caller, updateWorkflow, { params: { id }, body })).rejects.toMatchObject(invalid);
    expect(await system.callAs(caller, getWorkflow, { params: { id } })).toMatchObject({ name: 'Workflow' });
    expect((await system.callAs(caller, listWorkflows)).count).toBe(1);
  });

  it('is deleted with its versions, once', async () => {
    const { caller, seed } = await seeded();
    const { id } = await seed.saved();
    const remove = () => system.callAs(caller, deleteWorkflow, { params: { id } });
    const outcomes = await Promise.allSettled([remove(), remove()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: notFound });
    const versions = await system.database.query('SELECT 1 FROM workflows.version WHERE workflow_id = $1', [id]);
    expect(versions).toEqual([]);
  });
});

describe('the lists of workflows', () => {
  it('contain the workflows of the spaces that the caller may read', async () => {
    const { caller, seed, space } = await seeded();
    const [queried, hidden] = [await seed.space(), await seed.space()];
    const seen = await seed.workflow({}, space.id);
    await seed.workflow({}, queried.id);
    await seed.workflow({}, hidden.id);
    const member = memberCaller(caller, { [space.id]: 'read', [queried.id]: 'insights' });
    const { results, count } = await system.callAs(member, listWorkflows);
    expect([results.map(({ id }) => id), count]).toEqual([[seen.id], 1]);
    expect((await system.callAs(member, listWorkflows, { query: { space: hidden.id } })).count).toBe(0);
    expect((await system.callAs(caller, listWorkflows)).count).toBe(3);
  });

  it('are filtered by space and project, and an invalid id matches nothing', async () => {
    const { caller, seed, space } = await seeded();
    const project = await seed.project(space.id);
    const inside = await seed.workflow({ project_info: project.id }, space.id);
    await seed.workflow({}, space.id);
    await seed.workflow();
    const ids = async (query: object) => {
      const { results } = await system.callAs(caller, listWorkflows, { query });
      return results.map(({ id }) => id);
    };
    expect(await ids({ space: space.id })).toHaveLength(2);
    expect(await ids({ project: project.id })).toEqual([inside.id]);
    expect(await ids({ space: 'x' })).toEqual([]);
    expect(await ids({ project: ownerCaller().vault })).toEqual([]);
    const params = { spaceId: space.id };
    const ofSpace = await system.callAs(caller, listSpaceWorkflows, { params, query: { project: project.id } });
    expect(ofSpace).toMatchObject({ count: 1, results: [{ id: inside.id, space_name: 'Home' }] });
  });

  it('can be searched and ordered, and pages do not overlap if names are equal', async () => {
    const { caller, seed, space } = await seeded();
    for (let at = 0; at < 5; at++) await seed.workflow({ name: 'same', description: `Number ${at}` }, space.id);
    const list = (query: object) => system.callAs(caller, listSpaceWorkflows, { params: { spaceId: space.id }, query });
    expect((await list({ search: 'number 3' })).results).toMatchObject([{ description: 'Number 3' }]);
    const pages = await Promise.all([1, 2, 3].map((page) => list({ ordering: 'name', page, page_size: 2 })));
    expect(new Set(pages.flatMap(({ results }) => results.map(({ id }) => id))).size).toBe(5);
  });

  it('find names and descriptions in any case and with any characters, but no text that spans both', async () => {
    const { caller, seed, space } = await seeded();
    await seed.workflow({ name: 'ÄPFEL 100%', description: 'Zählt_Birnen' }, space.id);
    await seed.workflow({ name: 'back\\slash' }, space.id);
    const count = async (search: string) => (await system.callAs(caller, listWorkflows, { query: { search } })).count;
    for (const found of ['äpfel', 'ZÄHLT', '0%', 't_b', 'k\\s', 'K\\SLASH'])
      expect([found, await count(found)]).toEqual([found, 1]);
    for (const none of ['%', '_pfel', 'zählt-', '%zählt', '\\\\']) {
      expect([none, await count(none)]).toEqual([none, none === '%' ? 1 : 0]);
    }
  });

  it('can be ordered by several fields, including the last page and pages after it', async () => {
    const { caller, seed, space } = await seeded();
    for (const name of ['b', 'a', 'b', 'c']) await seed.workflow({ name }, space.id);
    const list = async (query: object) => {
      const { results, count } = await system.callAs(caller, listWorkflows, { query });
      return [results.map(({ name }) => name).join(''), count];
    };
    expect(await list({ ordering: 'name,-created_date' })).toEqual(['abbc', 4]);
    expect(await list({ ordering: '-name', page_size: 3, page: 2 })).toEqual(['a', 4]);
    expect(await list({ ordering: 'name', page: 9 })).toEqual(['', 4]);
    expect(await list({ ordering: '', search: 'b', page_size: 1, page: 2 })).toEqual(['b', 2]);
  });
});

describe('the list of all workflows of a vault', () => {
  it('shows each with its space to administrators of the vault, with any roles in spaces', async () => {
    const { caller, seed } = await seeded();
    const space = await seed.space({ name: 'Blue', description: 'Of the team', color: '#00f' });
    const workflow = await seed.workflow({ name: 'W' }, space.id);
    const organizer = { ...memberCaller(caller, {}), vaultRole: 'space_admin' as const };
    const { results, count } = await system.callAs(organizer, listVaultWorkflows);
    expect(count).toBe(1);
    const inSpace = { id: space.id, name: 'Blue', description: 'Of the team', color: '#00f', playground: false };
    expect(results).toEqual([{ ...workflow, space: inSpace }]);
    expect((await system.callAs(ownerCaller(), listVaultWorkflows)).count).toBe(0);
  });

  it('can be searched, and filtered by whether the workflows feed Live Tables', async () => {
    const { caller, seed, space } = await seeded();
    const fed = await seed.workflow({ name: 'Fed' }, space.id);
    await seed.workflow({ name: 'Plain' }, space.id);
    await system.database.query('UPDATE workflows.workflow SET has_database = true WHERE id = $1', [fed.id]);
    const names = async (query: object) => {
      const { results } = await system.callAs(caller, listVaultWorkflows, { query: { ordering: 'name', ...query } });
      return results.map(({ name, has_database: has }) => [name, has]);
    };
    expect(await names({})).toEqual([
      ['Fed', true],
      ['Plain', false],
    ]);
    expect(await names({ has_database: 'true' })).toEqual([['Fed', true]]);
    expect(await names({ has_database: 'false', search: 'la' })).toEqual([['Plain', false]]);
    expect(await names({ has_database: 'true', search: 'la' })).toEqual([]);
    const one = await system.callAs(caller, getWorkflow, { params: { id: fed.id } });
    expect(one).toMatchObject({ has_database: true, is_app: false });
  });
});
