import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { clearSpaceCache, clearWorkflowCache } from '@millrace/contracts/runs/cached-results';
import { findSpaceOf } from '@millrace/contracts/workflows/spaces';
import { loadForRun, locateWorkflow } from '@millrace/contracts/workflows/workflows';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun, type SplitRun } from '../testing/insert-split-run.js';
import { deleteCachedResults } from './delete-cached-results.js';

const owner = ownerCaller();
let system: SystemWithStore;
let database: Database;
/** The spaces of workflows. */
const spaces = new Map<string, string>();
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 4 });
  const workflows = await system.fake('workflows');
  workflows.on(locateWorkflow, ({ body }) => {
    const id = (body as { workflow: string }).workflow;
    const space = spaces.get(id);
    if (space === undefined) throw new NotFoundError(`Workflow ${id}`);
    return { id, space };
  });
  workflows.on(findSpaceOf, ({ body }) => {
    const { vault, space } = body as { vault: string; space: string };
    return { name: vault === owner.vault && [...spaces.values()].includes(space) ? 'Space' : null };
  });
  workflows.on(loadForRun, ({ body }) => {
    const { workflow } = body as { workflow: string };
    const place = { space: spaces.get(workflow) ?? '', spaceName: 's', project: null, projectName: null };
    return {
      workflow: { id: workflow, name: 'w', ...place },
      ...{ version: newId(), author: owner.user, files: [] },
      content: { data: draw().script('newest-1').data(), modules: {} },
    };
  });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

/** Adds a workflow with a run. */
async function insert(space = newId()): Promise<{ workflow: string; space: string; run: SplitRun }> {
  const workflow = newId();
  spaces.set(workflow, space);
  const run = await insertSplitRun(database, { caller: owner, folder: system.folder, children: 3, workflow, space });
  return { workflow, space, run };
}

/** Adds cached results of a node. `assigned: false` stores them as before workflow and node were recorded. */
async function addResults(
  { workflow, space, run }: Awaited<ReturnType<typeof insert>>,
  node: string,
  count: number,
  assigned = true,
): Promise<void> {
  const where = { runId: run.run.id, step: run.step(node), task: 0 };
  const { id: subjobId } = await database.client.subjob.findFirstOrThrow({ where });
  await database.client.cacheEntry.createMany({
    data: Array.from({ length: count }, () => ({
      ...{ spaceId: space, key: createHash('sha256').update(newId()).digest('hex'), runId: run.run.id, subjobId },
      ...(assigned && { workflowId: workflow, node }),
      outputs: { files: [] },
    })),
  });
}

const count = (where: object) => database.client.cacheEntry.count({ where });
const clearWorkflow = (id: string, node?: string, by: Caller = owner) =>
  system.callAs(by, clearWorkflowCache, { params: { id }, query: { ...(node !== undefined && { node }) } });
const clearSpace = (id: string, by: Caller = owner) => system.callAs(by, clearSpaceCache, { params: { id } });

/** The published requests to clear a cache, without what each has. */
async function published(where: { workflow?: string; space?: string }): Promise<object[]> {
  const rows = await database.client.outbox.findMany({ where: { name: 'runs.cache.cleared' } });
  const events = rows.map(({ payload }) => payload as { workflow?: string; space: string; vault: string; at: string });
  return events
    .filter((event) => Object.entries(where).every(([key, value]) => event[key as 'space'] === value))
    .map(({ at: _, vault: __, ...event }) => event);
}

describe('the cached results of a workflow', () => {
  it('are removed, with those from before the workflow was recorded, and those of other workflows stay', async () => {
    const one = await insert();
    const other = await insert(one.space);
    await addResults(one, 'each-1', 3);
    await addResults(one, 'all-1', 2, false);
    await addResults(other, 'all-1', 1);
    expect(await clearWorkflow(one.workflow)).toEqual({ removed: 5, complete: true });
    expect(await count({ spaceId: one.space })).toBe(1);
    expect(await clearWorkflow(one.workflow)).toEqual({ removed: 0, complete: true });
    const event = { space: one.space, workflow: one.workflow, name: 'w', user: owner.user, address: '127.0.0.1' };
    expect(await published({ workflow: one.workflow })).toEqual([event, event]);
  });

  it('are removed for one node, or for the nodes of a module', async () => {
    const one = await insert();
    await addResults(one, 'each-1', 3);
    await addResults(one, 'all-1', 2);
    await addResults(one, 'all-1', 1, false);
    expect(await clearWorkflow(one.workflow, 'all-1')).toEqual({ removed: 3, complete: true });
    expect(await count({ spaceId: one.space })).toBe(3);
    await database.client.cacheEntry.updateMany({ where: { spaceId: one.space }, data: { node: 'all-1/inner-1' } });
    expect(await clearWorkflow(one.workflow, 'all-1')).toEqual({ removed: 3, complete: true });
    expect(await published({ workflow: one.workflow })).toMatchObject([{ node: 'all-1' }, { node: 'all-1' }]);
  });

  it('stay if the node does not exist, now or in earlier runs', async () => {
    const one = await insert();
    await addResults(one, 'each-1', 1);
    await expect(clearWorkflow(one.workflow, 'eahc-1')).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'query.node': 'names no node of the workflow (got "eahc-1"). Did you mean "each-1"?' },
    });
    expect(await count({ spaceId: one.space })).toBe(1);
    expect(await clearWorkflow(one.workflow, 'newest-1')).toEqual({ removed: 0, complete: true });
    expect(await published({ workflow: one.workflow })).toHaveLength(1);
  });

  it('are removed by those who may edit the space only', async () => {
    const one = await insert();
    await addResults(one, 'each-1', 1);
    const runner = memberCaller(owner, { [one.space]: 'execute' });
    const stranger = memberCaller(owner, {});
    for (const clear of [() => clearWorkflow(one.workflow, undefined, runner), () => clearSpace(one.space, runner)])
      await expect(clear()).rejects.toMatchObject({ code: 'forbidden' });
    for (const clear of [() => clearWorkflow(one.workflow, undefined, stranger), () => clearSpace(one.space, stranger)])
      await expect(clear()).rejects.toMatchObject({ code: 'not_found' });
    expect(await count({ spaceId: one.space })).toBe(1);
    const editor = memberCaller(owner, { [one.space]: 'write' });
    expect(await clearWorkflow(one.workflow, undefined, editor)).toEqual({ removed: 1, complete: true });
  });
});

describe('the cached results of a space', () => {
  it('are removed for all workflows, and those of other spaces stay', async () => {
    const one = await insert();
    const [sibling, away] = [await insert(one.space), await insert()];
    for (const each of [one, sibling, away]) await addResults(each, 'each-1', 2);
    expect(await clearSpace(one.space.toUpperCase())).toEqual({ removed: 4, complete: true });
    expect(await count({ spaceId: away.space })).toBe(2);
    expect(await published({ space: one.space })).toMatchObject([
      { space: one.space, name: 'Space', user: owner.user, address: '127.0.0.1' },
    ]);
  });

  it('are not removed by the owner of another vault', async () => {
    const one = await insert();
    await addResults(one, 'each-1', 1);
    await expect(clearSpace(one.space, ownerCaller())).rejects.toMatchObject({ code: 'not_found' });
    await expect(clearSpace('no-id')).rejects.toMatchObject({ code: 'not_found' });
    expect(await count({ spaceId: one.space })).toBe(1);
  });
});

describe('a removal of cached results', () => {
  const ignore = () => undefined;

  it('continues over all batches, and publishes once', async () => {
    const one = await insert();
    await addResults(one, 'each-1', 25);
    let published = 0;
    const begin = () => void (published += 1);
    const deletion = await deleteCachedResults(database, { space: one.space }, begin, { maxRows: 10 });
    expect([deletion, published]).toEqual([{ removed: 25, complete: true }, 1]);
  });

  it('is incomplete if the time is over', async () => {
    const one = await insert();
    await addResults(one, 'each-1', 25);
    const limits = { maxRows: 10, maxDurationMs: -1 };
    const deletions = [];
    for (let n = 0; n < 4; n++)
      deletions.push(await deleteCachedResults(database, { space: one.space }, ignore, limits));
    expect(deletions.map(({ removed }) => removed)).toEqual([10, 10, 5, 0]);
    expect(deletions.map(({ complete }) => complete)).toEqual([false, false, false, true]);
  });

  it('keeps a result that a writer has replaced meanwhile, and removes one that was only locked', async () => {
    const one = await insert();
    await addResults(one, 'each-1', 3);
    const [replaced, used] = await database.client.cacheEntry.findMany({ where: { spaceId: one.space } });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let lock = (): void => undefined;
    const locked = new Promise<void>((resolve) => (lock = resolve));
    const writer = database.transaction(async (tx) => {
      await tx.$executeRaw`
        UPDATE runs.cache_entry SET created_at = clock_timestamp() + interval '1 s' WHERE key = ${replaced!.key}`;
      await tx.$executeRaw`UPDATE runs.cache_entry SET last_used_at = now() WHERE key = ${used!.key}`;
      lock();
      await released;
    });
    await locked;
    const deletion = deleteCachedResults(database, { space: one.space }, ignore);
    while ((await count({ spaceId: one.space })) > 2) await new Promise((resolve) => setTimeout(resolve, 5));
    release();
    await writer;
    expect(await deletion).toEqual({ removed: 2, complete: true });
    expect(await database.client.cacheEntry.findMany({ where: { spaceId: one.space } })).toMatchObject([
      { key: replaced!.key },
    ]);
  });

  it('changes no run that reused a result', async () => {
    const one = await insert();
    await addResults(one, 'each-1', 1);
    const where = { runId: one.run.run.id, step: one.run.step('all-1') };
    await database.client.subjob.updateMany({ where, data: { cachedFrom: 1n, outputs: 1 } });
    const read = () => database.client.subjob.findMany({ where: { runId: one.run.run.id }, orderBy: { id: 'asc' } });
    const before = await read();
    expect(await clearSpace(one.space)).toMatchObject({ removed: 1 });
    expect(await read()).toEqual(before);
  });
});
