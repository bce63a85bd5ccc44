import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CACHE_PARTS, type CachePart } from '@millrace/contracts/runs/cache';
import { explainCache, MAX_EXPLAINED_RUNS } from '@millrace/contracts/runs/cached-results';
import { deleteRun } from '@millrace/contracts/runs/runs';
import { Database } from '@millrace/persistence/database';
import { Prisma } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun, splitWorkflow, type SplitRun } from '../testing/insert-split-run.js';
import { storeItems } from '../testing/store-items.js';

const caller = ownerCaller();
const space = newId();
let system: SystemWithStore;
let database: Database;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

/** A workflow whose nodes use the cache, except `then-1`. */
function cachedWorkflow() {
  const data = splitWorkflow().data() as { nodes: Record<string, object> };
  for (const node of ['lines-1', 'each-1', 'all-1']) data.nodes[node] = { ...data.nodes[node], cache: true };
  return data;
}

/** Inserts a run that was split into lines. */
async function insert(workflow: string, lines: string[], options: { space?: string; data?: unknown } = {}) {
  const run = await insertSplitRun(database, {
    ...{ caller, folder: system.folder, children: lines.length, workflow, space, data: cachedWorkflow(), ...options },
  });
  await storeItems(database, system.folder, run, lines);
  return run;
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** The parts of a key: `same`, except the given ones. */
const partsOf = (changed: Partial<Record<CachePart, string>> = {}) =>
  Object.fromEntries(CACHE_PARTS.map((name) => [name, hash(changed[name] ?? 'same').slice(0, 16)]));

/** Gives a subjob a key, as a report of a step does that used the cache. */
async function setKey(
  run: SplitRun,
  node: string,
  task: number,
  parts: Partial<Record<CachePart, string>>,
  more: { cachedFrom?: bigint; params?: object } = {},
): Promise<bigint> {
  const where = { runId_step_task: { runId: run.run.id, step: run.step(node), task } };
  const cacheKey = hash(JSON.stringify(partsOf(parts)));
  const { id } = await database.client.subjob.update({
    where,
    data: { cacheKey, cacheParts: partsOf(parts), ...more },
  });
  return id;
}

async function explain(run: SplitRun, node: string, task = 0, by = caller) {
  const where = { runId_step_task: { runId: run.run.id, step: run.step(node), task } };
  const { id } = await database.client.subjob.findUniqueOrThrow({ where });
  return system.callAs(by, explainCache, { params: { id: run.id, subjobId: String(id) } });
}

describe('the explanation of a subjob that was executed', () => {
  it('names the parts that differ from the nearest earlier one, the newest of several', async () => {
    const workflow = newId();
    const runs = [];
    for (let n = 0; n < 5; n++) runs.push(await insert(workflow, ['one']));
    const [far, near, nearer, , run] = runs as [SplitRun, SplitRun, SplitRun, SplitRun, SplitRun];
    await setKey(far, 'lines-1', 0, { program: 'a', arguments: 'b' });
    await setKey(near, 'lines-1', 0, { program: 'c' });
    const id = await setKey(nearer, 'lines-1', 0, { program: 'd' });
    await setKey(run, 'lines-1', 0, {});
    const later = await insert(workflow, ['one']);
    await setKey(later, 'lines-1', 0, {});
    expect(await explain(run, 'lines-1')).toMatchObject({
      ...{ run: run.id, node: 'lines-1', result: 'miss', reusable: false, runs_examined: 4 },
      message: `No cached result had this key. Compared with subjob ${id} in run ${nearer.id}, these parts differ: \`program\`.`,
      nearest: {
        ...{ run: nearer.id, run_name: 'r', subjob: String(id), equal: CACHE_PARTS.length - 1, inputs: [] },
        different: [{ name: 'program', digest: partsOf({ program: 'd' })['program'] }],
      },
    });
    expect((await explain(run, 'lines-1')).parts).toEqual(
      CACHE_PARTS.map((name) => ({ name, digest: partsOf()[name] })),
    );
  });

  it('compares a child with the child of the same item, wherever that was in its list', async () => {
    const workflow = newId();
    const earlier = await insert(workflow, ['two', 'one', 'three']);
    await setKey(earlier, 'each-1', 1, { inputs: 'two' });
    const one = await setKey(earlier, 'each-1', 2, { inputs: 'x', arguments: 'one' });
    const run = await insert(workflow, ['one', 'four']);
    for (const [task, line] of [
      [1, 'one'],
      [2, 'four'],
    ] as const)
      await setKey(run, 'each-1', task, { arguments: line });
    expect((await explain(run, 'each-1', 1)).nearest).toMatchObject({
      ...{ run: earlier.id, subjob: String(one), task_index: 2, different: [{ name: 'inputs' }] },
    });
    const added = await explain(run, 'each-1', 2);
    expect(added).not.toHaveProperty('nearest');
    expect(added.message).toContain('None of the last 1 runs of the workflow before this one has a result');
  });

  it('compares children by their numbers if the items of one run are no longer stored', async () => {
    const workflow = newId();
    const [earlier, run] = [await insert(workflow, ['one', 'two']), await insert(workflow, ['two', 'three'])];
    const second = await setKey(earlier, 'each-1', 2, { inputs: 'x' });
    await setKey(run, 'each-1', 2, {});
    expect(await explain(run, 'each-1', 2)).not.toHaveProperty('nearest');
    const split = { items: 'e'.repeat(64), index: 'f'.repeat(64), count: 2 };
    await database.client.runSegment.updateMany({
      where: { runId: earlier.run.id, split: { not: Prisma.DbNull } },
      data: { split },
    });
    expect((await explain(run, 'each-1', 2)).nearest).toMatchObject({ subjob: String(second), task_index: 2 });
  });

  it('names the inputs whose shown value, file or earlier output differs', async () => {
    const workflow = newId();
    const runs = [await insert(workflow, ['one']), await insert(workflow, ['one'])] as const;
    for (const [at, run] of runs.entries()) {
      await setKey(run, 'each-1', 1, { arguments: String(at) }, { params: { 'item/split-1': `value ${at}` } });
      await setKey(run, 'all-1', 0, { inputs: String(at) });
      const place = { runId: run.run.id, subjobId: 1n, step: run.step('then-1'), task: 1, node: 'then-1', label: '' };
      await database.client.output.create({
        data: { ...place, id: newId(), path: 'output.txt', size: 1, sha256: hash(String(at)) },
      });
    }
    expect((await explain(runs[1], 'each-1', 1)).nearest?.inputs).toEqual(['item/split-1']);
    expect((await explain(runs[1], 'all-1')).nearest?.inputs).toEqual(['folder/then-1']);
    await database.client.output.updateMany({
      where: { runId: { in: runs.map(({ run }) => run.id) } },
      data: { sha256: hash('equal') },
    });
    expect((await explain(runs[1], 'all-1')).nearest?.inputs).toEqual([]);
  });

  it('says that an equal result was not in the cache', async () => {
    const workflow = newId();
    const [earlier, run] = [await insert(workflow, ['one']), await insert(workflow, ['one'])];
    for (const one of [earlier, run]) await setKey(one, 'all-1', 0, {});
    const explained = await explain(run, 'all-1');
    expect(explained).toMatchObject({ result: 'miss', nearest: { run: earlier.id, different: [] } });
    expect(explained.message).toContain('but that result was not in the cache');
  });

  it('looks at earlier runs of the workflow in this space only, and never at deleted ones', async () => {
    const workflow = newId();
    const other = await insert(newId(), ['one']);
    const elsewhere = await insert(workflow, ['one'], { space: newId() });
    const deleted = await insert(workflow, ['one']);
    const run = await insert(workflow, ['one']);
    for (const one of [other, elsewhere, deleted, run]) await setKey(one, 'all-1', 0, {});
    expect(await explain(run, 'all-1')).toMatchObject({ nearest: { run: deleted.id }, runs_examined: 1 });
    await system.callAs(caller, deleteRun, { params: { id: deleted.id } });
    const explained = await explain(run, 'all-1');
    expect(explained).toMatchObject({ runs_examined: 0, message: expect.stringContaining('No earlier run') });
    expect(JSON.stringify(explained)).not.toContain(`"${deleted.id}"`);
  });

  it('looks at a limited number of earlier runs, the newest', async () => {
    const workflow = newId();
    const oldest = await insert(workflow, ['one']);
    await setKey(oldest, 'all-1', 0, {});
    const data = { ...oldest.run, inputs: {}, shownInputs: undefined, part: undefined };
    await database.client.run.createMany({
      data: Array.from({ length: MAX_EXPLAINED_RUNS }, () => ({
        ...data,
        id: undefined,
        createdAt: undefined,
      })) as never,
    });
    const run = await insert(workflow, ['one']);
    await setKey(run, 'all-1', 0, {});
    const explained = await explain(run, 'all-1');
    expect(explained).toMatchObject({ runs_examined: MAX_EXPLAINED_RUNS });
    expect(explained).not.toHaveProperty('nearest');
  });
});

describe('the explanation of a hit', () => {
  it('names the subjob whose result was reused, also in another workflow', async () => {
    const [source, run] = [await insert(newId(), ['one']), await insert(newId(), ['one'])];
    const id = await setKey(source, 'each-1', 1, {});
    await setKey(run, 'each-1', 1, {}, { cachedFrom: id });
    const explained = await explain(run, 'each-1', 1);
    expect(explained).toMatchObject({
      ...{ result: 'hit', source: { run: source.id, run_name: 'r', subjob: String(id), task_index: 1 } },
      message: `It reused the result of subjob ${id} in run ${source.id}.`,
    });
    expect(explained).not.toHaveProperty('nearest');
    await system.callAs(caller, deleteRun, { params: { id: source.id } });
    const later = await explain(run, 'each-1', 1);
    expect(later).toMatchObject({ result: 'hit', reusable: false });
    expect(later).not.toHaveProperty('source');
    expect(JSON.stringify(later)).not.toContain(`"${source.id}"`);
  });

  it('hides the source from callers who may not read its space', async () => {
    const away = newId();
    const [source, run] = [await insert(newId(), ['one'], { space: away }), await insert(newId(), ['one'])];
    await setKey(run, 'all-1', 0, {}, { cachedFrom: await setKey(source, 'all-1', 0, {}) });
    const reader = memberCaller(caller, { [space]: 'read', [away]: 'insights' });
    expect(await explain(run, 'all-1', 0, reader)).not.toHaveProperty('source');
    const other = memberCaller(caller, { [space]: 'read', [away]: 'read' });
    expect(await explain(run, 'all-1', 0, other)).toMatchObject({ source: { run: source.id } });
    await expect(explain(run, 'all-1', 0, memberCaller(caller, {}))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the explanation of a subjob that did not use the cache', () => {
  it('says why', async () => {
    const run = await insert(newId(), ['one', 'two', 'three']);
    const set = (node: string, data: object) =>
      database.client.subjob.updateMany({ where: { runId: run.run.id, step: run.step(node), task: 0 }, data });
    const reason = async (node: string, task = 0) => (await explain(run, node, task)).reason;
    expect(await reason('split-1')).toBe('node_type');
    expect(await reason('then-1', 1)).toBe('off_for_node');
    expect(await reason('all-1')).toBe('no_key');
    for (const [status, expected] of [
      ['PENDING', 'not_executed'],
      ['RUNNING', 'running'],
      ['FAILED', 'failed'],
      ['STOPPED', 'stopped'],
      ['SKIPPED', 'skipped'],
    ]) {
      await set('all-1', { status });
      expect(await explain(run, 'all-1')).toMatchObject({ result: 'not_used', reason: expected, parts: [] });
    }
    await database.client.run.update({ where: { id: run.run.id }, data: { useCache: false } });
    expect(await reason('lines-1')).toBe('off_for_run');
    await database.client.run.update({ where: { id: run.run.id }, data: { useCache: true } });
    expect(await reason('then-1', 1)).toBe('no_key');
  });

  it('counts the children of a task group', async () => {
    const run = await insert(newId(), ['one', 'two', 'three', 'four']);
    await setKey(run, 'each-1', 1, {}, { cachedFrom: 1n });
    await setKey(run, 'each-1', 2, {});
    expect(await explain(run, 'each-1')).toMatchObject({
      ...{ result: 'not_used', reason: 'task_group', children: { hit: 1, miss: 1, not_used: 2 } },
    });
  });
});

it('a child among 100,000 is explained, although its item was elsewhere in the list', async () => {
  const workflow = newId();
  const lines = Array.from({ length: 100_000 }, (_, at) => `host${at}.example.org`);
  const earlier = await insert(workflow, lines);
  const id = await setKey(earlier, 'each-1', 99_999, { program: 'old' });
  const run = await insert(workflow, ['new', ...lines]);
  await setKey(run, 'each-1', 100_000, {});
  expect((await explain(run, 'each-1', 100_000)).nearest).toMatchObject({ subjob: String(id), task_index: 99_999 });
  expect((await explain(run, 'each-1')).children).toEqual({ hit: 0, miss: 1, not_used: 100_000 });
});
