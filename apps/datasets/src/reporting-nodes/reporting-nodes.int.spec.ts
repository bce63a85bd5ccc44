import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteDataset } from '@millrace/contracts/datasets/datasets';
import {
  createReportingNode,
  deleteReportingNode,
  getReportingNode,
  listReportingNodes,
  updateReportingNode,
} from '@millrace/contracts/datasets/reporting-nodes';
import { deleteSolution } from '@millrace/contracts/datasets/solutions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
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

type Body = Partial<Request<typeof createReportingNode>['body']>;

const seeded = async () => {
  const owner = ownerCaller();
  const space = workflows.space(owner);
  const table = await seedDataset(system.database, owner, { columns: [['a', 'text']], space });
  const workflow = workflows.workflow(owner, space);
  const bind = (body: Body = {}, who: Caller = owner) =>
    system.callAs(who, createReportingNode, {
      body: { workflow, node_name: 'scan-1', dataset_id: table.id, ...body },
    });
  const update = (id: string, body: object, who: Caller = owner) =>
    system.callAs(who, updateReportingNode, { params: { id }, body });
  const unbind = (id: string, who: Caller = owner) => system.callAs(who, deleteReportingNode, { params: { id } });
  const list = async (query: object = {}, who: Caller = owner) =>
    (await system.callAs(who, listReportingNodes, { query })).results.map(({ id }) => id);
  return { owner, space, table, workflow, bind, update, unbind, list };
};

/** Sources of a table, by reporting node. */
const sourcesOf = async (dataset: string) => {
  const rows = await system.database.query<{ id: string; source: number }>(
    'SELECT id, source FROM datasets.reporting_node WHERE dataset_id = $1 ORDER BY source',
    [dataset],
  );
  return rows.map(({ id, source }) => [id, source]);
};

/** Whether the last event says that a workflow has reporting nodes; null without an event. */
const findLastFeeds = async (workflow: string) => {
  const rows = await system.database.query<{ feeds: boolean }>(
    `SELECT (payload->>'feeds')::boolean AS feeds FROM messaging.outbox
     WHERE name = 'datasets.workflow.feeding' AND payload->>'workflow' = $1 ORDER BY (payload->>'seq')::bigint DESC`,
    [workflow],
  );
  return rows[0]?.feeds ?? null;
};

describe('a reporting node', () => {
  it('binds output.txt by default', async () => {
    const { owner, table, workflow, bind } = await seeded();
    const node = await bind({ vault: owner.vault });
    expect(node).toEqual({
      ...{ id: node.id, vault: owner.vault, workflow, node_name: 'scan-1', output_name: 'output.txt' },
      ...{ dataset_id: table.id, is_module: false, load_partial: false },
      ...{ created_date: expect.any(String), modified_date: expect.any(String) },
    });
    expect(await system.callAs(owner, getReportingNode, { params: { id: node.id } })).toEqual(node);
  });

  it('exists once for each output and table, even after two concurrent requests', async () => {
    const { table, bind, list } = await seeded();
    const made = await Promise.all([bind(), bind(), bind({ is_module: true })]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await list({ dataset_id: table.id })).toHaveLength(1);
  });

  it('is a source of its table with a number that was never used before', async () => {
    const { table, bind, unbind } = await seeded();
    const [first, second] = [await bind(), await bind({ node_name: 'scan-2' })];
    await unbind(second.id);
    const third = await bind({ node_name: 'scan-3' });
    expect(await sourcesOf(table.id)).toEqual([
      [first.id, 1],
      [third.id, 3],
    ]);
  });

  it('is the same source as before if the same output is bound again', async () => {
    const { table, bind, unbind, update } = await seeded();
    const [first, second] = [await bind(), await bind({ node_name: 'scan-2' })];
    await unbind(second.id);
    const again = await bind({ node_name: 'scan-2' });
    await update(first.id, { output_name: 'found.jsonl' });
    await update(first.id, { output_name: 'output.txt' });
    expect(await sourcesOf(table.id)).toEqual([
      [first.id, 1],
      [again.id, 2],
    ]);
  });

  it('becomes another source if it binds another output, but not if other fields change', async () => {
    const { owner, space, table, bind, update } = await seeded();
    const { id } = await bind();
    expect(await update(id, { is_module: true })).toMatchObject({ is_module: true });
    expect(await sourcesOf(table.id)).toEqual([[id, 1]]);
    await update(id, { output_name: 'found.jsonl' });
    expect(await sourcesOf(table.id)).toEqual([[id, 2]]);
    const other = await seedDataset(system.database, owner, { columns: [['a', 'text']], space });
    expect(await update(id, { dataset_id: other.id })).toMatchObject({ dataset_id: other.id });
    expect(await sourcesOf(other.id)).toEqual([[id, 1]]);
    expect(await sourcesOf(table.id)).toEqual([]);
  });

  it('cannot be changed to the same binding as another one', async () => {
    const { bind, update } = await seeded();
    const first = await bind();
    const second = await bind({ node_name: 'scan-2' });
    await expect(update(second.id, { node_name: 'scan-1' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { body: expect.stringContaining(first.id) },
    });
  });

  it('is refused for another vault and for a missing workflow or table', async () => {
    const { bind, list } = await seeded();
    const foreign = await seeded();
    await expect(bind({ vault: foreign.owner.vault })).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.vault': expect.any(String) },
    });
    for (const wrong of [{ workflow: foreign.workflow }, { dataset_id: foreign.table.id }]) {
      await expect(bind(wrong)).rejects.toMatchObject({ code: 'not_found' });
    }
    for (const wrong of ['x', newId()]) {
      await expect(bind({ workflow: wrong })).rejects.toMatchObject({ code: 'not_found' });
      await expect(bind({ dataset_id: wrong })).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await list()).toEqual([]);
  });
});

it('binding an output requires the role to edit in the spaces of the workflow and the table', async () => {
  const { owner, space, workflow, table, bind, update, unbind, list } = await seeded();
  const otherSpace = workflows.space(owner);
  const otherWorkflow = workflows.workflow(owner, otherSpace);
  const editor = memberCaller(owner, { [space]: 'write', [otherSpace]: 'write' });
  const { id } = await bind({ workflow: otherWorkflow }, editor);
  const withoutWorkflow = memberCaller(owner, { [space]: 'write', [otherSpace]: 'execute' });
  await expect(bind({ workflow: otherWorkflow, node_name: 'x' }, withoutWorkflow)).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(update(id, { node_name: 'x' }, withoutWorkflow)).rejects.toMatchObject({ code: 'forbidden' });
  const withoutTable = memberCaller(owner, { [space]: 'insights', [otherSpace]: 'write' });
  await expect(bind({ workflow: otherWorkflow, node_name: 'x' }, withoutTable)).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(unbind(id, withoutTable)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await list({ workflow: otherWorkflow }, withoutTable)).toEqual([id]);
  expect(await list({ workflow }, withoutTable)).toEqual([]);
  for (const outsider of [memberCaller(owner, { [otherSpace]: 'write' }), ownerCaller()]) {
    await expect(bind({ workflow: otherWorkflow }, outsider)).rejects.toMatchObject({ code: 'not_found' });
    await expect(unbind(id, outsider)).rejects.toMatchObject({ code: 'not_found' });
    expect(await list({ dataset_id: table.id }, outsider)).toEqual([]);
  }
});

describe('the event about the reporting nodes of a workflow', () => {
  it('reports a source workflow when the first node is added, and no longer when the last one is deleted', async () => {
    const { workflow, bind, unbind } = await seeded();
    expect(await findLastFeeds(workflow)).toBeNull();
    const [first, second] = [await bind(), await bind({ node_name: 'scan-2' })];
    expect(await findLastFeeds(workflow)).toBe(true);
    await unbind(first.id);
    expect(await findLastFeeds(workflow)).toBe(true);
    await unbind(second.id);
    expect(await findLastFeeds(workflow)).toBe(false);
  });

  it('is published when its table is deleted', async () => {
    const { owner, workflow, table, bind } = await seeded();
    await bind();
    await system.callAs(owner, deleteDataset, { params: { id: table.id } });
    expect(await findLastFeeds(workflow)).toBe(false);
  });

  it('is published when the solution of its tables is deleted', async () => {
    const { owner, workflow, table, bind } = await seeded();
    await bind();
    await system.callAs(owner, deleteSolution, { params: { id: table.solution } });
    expect(await findLastFeeds(workflow)).toBe(false);
  });

  it('ends with the final state after concurrent changes', async () => {
    const { owner, space, workflow, bind, unbind } = await seeded();
    const tables = await Promise.all(
      [1, 2, 3, 4].map(() => seedDataset(system.database, owner, { columns: [['a', 'text']], space })),
    );
    const bound = await Promise.all(tables.map(({ id }) => bind({ dataset_id: id })));
    const ends = [...bound.map(({ id }) => unbind(id)), bind({ node_name: 'last' })];
    await Promise.all(ends);
    expect(await findLastFeeds(workflow)).toBe(true);
    const [solutions, rest] = [tables.map(({ solution }) => solution), await bind({ node_name: 'last' })];
    const deletions = solutions.map((id) => system.callAs(owner, deleteSolution, { params: { id } }));
    await Promise.all([...deletions, unbind(rest.id)]);
    expect(await findLastFeeds(workflow)).toBe(false);
  });
});

it('reporting nodes are deleted with their workflow', async () => {
  const { owner, workflow, bind, list } = await seeded();
  const other = await seeded();
  await bind();
  await other.bind();
  const source = await system.sourceOf('workflows');
  await source.emit(workflowDeleted, { vault: owner.vault, workflow });
  await eventually(async () => expect(await list()).toEqual([]));
  expect(await other.list()).toHaveLength(1);
  await expect(bind()).rejects.toMatchObject({ code: 'not_found' });
});
