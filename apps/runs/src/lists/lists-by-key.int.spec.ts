import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRunOutputs, listSubjobOutputs } from '@millrace/contracts/runs/outputs';
import { listRuns, listWorkflowRuns } from '@millrace/contracts/runs/runs';
import { listChildren, listSubjobs } from '@millrace/contracts/runs/subjobs';
import { locateWorkflow } from '@millrace/contracts/workflows/workflows';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { insertSplitRun, type SplitRun } from '../testing/insert-split-run.js';

const CHILDREN = 25;
const caller = ownerCaller();
const workflow = newId();
let system: SystemWithStore;
let database: Database;
let run: SplitRun;
let group: string;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  (await system.fake('workflows')).on(locateWorkflow, () => ({ id: workflow, space: newId() }));
  run = await insertRun();
  for (let n = 0; n < 6; n++) await insertRun();
  await spreadValues();
  group = String((await findNode('each-1')).id);
});
afterAll(async () => {
  await database.close();
  await system.close();
});

const insertRun = () =>
  insertSplitRun(database, { caller, folder: system.folder, children: CHILDREN, workflow, space: newId() });
const findNode = (node: string) =>
  database.client.subjob.findFirstOrThrow({ where: { runId: run.run.id, step: run.step(node), task: 0 } });

/** Equal and missing values, of which the order says nothing, and several outputs of a child. */
async function spreadValues(): Promise<void> {
  const { id } = run.run;
  await database.client.$executeRaw`
    UPDATE runs.subjob SET status = CASE WHEN task % 4 = 0 THEN 'FAILED' ELSE status END,
      started_at = CASE WHEN task % 3 > 0 THEN to_timestamp(1700000000 + task % 5) END,
      finished_at = CASE WHEN task % 5 > 0 THEN to_timestamp(1700000000.123 - task % 2) END
    WHERE run_id = ${id} AND task > 0`;
  await database.client.$executeRaw`
    UPDATE runs.run SET (failed, succeeded) = (SELECT count(*) FILTER (WHERE status = 'FAILED'), count(*) FILTER (WHERE status = 'SUCCEEDED')
      FROM runs.subjob WHERE run_id = ${id} AND (task > 0 OR task_count IS NULL)) WHERE id = ${id}`;
  await database.client.$executeRaw`UPDATE runs.run SET started_at = NULL, name = 'a' WHERE id % 2 = 0`;
  await database.client.$executeRaw`UPDATE runs.run SET created_at = now() WHERE id % 3 = 0`;
  await database.client.$executeRaw`
    INSERT INTO runs.output (id, run_id, subjob_id, step, task, node, label, path, size, sha256)
    SELECT gen_random_uuid(), run_id, id, step, task, node, label, p, task % 3, repeat('a', 64)
    FROM runs.subjob, unnest(ARRAY['b.txt', 'a.txt']) AS p WHERE run_id = ${id} AND (task > 0 OR task_count IS NULL)`;
}

interface Page {
  results: { id: string }[];
  count: number;
  cursor?: string | null | undefined;
}
type Query = Record<string, string | number>;
type List = (query: Query) => Promise<Page>;

const params = () => ({ id: run.id });
const LISTS: [string, string[], Query, List][] = [
  [
    'runs',
    ['-created_date', 'started_date', '-started_date', 'name,-completed_date'],
    {},
    (query) => system.callAs(caller, listRuns, { query }),
  ],
  [
    'runs of a workflow',
    ['created_date', '-name'],
    { status: 'COMPLETED' },
    (query) => system.callAs(caller, listWorkflowRuns, { params: { id: workflow }, query }),
  ],
  [
    'nodes',
    ['id', '-task_index', '-started_at'],
    {},
    (query) => system.callAs(caller, listSubjobs, { params: params(), query }),
  ],
  [
    'children by parent',
    ['id', '-id', 'task_index'],
    { status: 'FAILED,SKIPPED' },
    (query) => system.callAs(caller, listSubjobs, { params: params(), query: { ...query, parent: group } }),
  ],
  [
    'children',
    ['task_index', '-task_index', 'started_at', '-started_at,finished_at', 'finished_at,-started_at', '-finished_at'],
    {},
    (query) => system.callAs(caller, listChildren, { params: { id: run.id, subjobId: group }, query }),
  ],
  [
    'outputs',
    ['node,task_index,path', 'node,-path', '-size', 'path,size', '-node'],
    {},
    (query) => system.callAs(caller, listRunOutputs, { params: params(), query }),
  ],
  [
    'outputs of a task group',
    ['task_index,path', '-size,path'],
    { search: 'b' },
    (query) => system.callAs(caller, listSubjobOutputs, { params: { id: run.id, subjobId: group }, query }),
  ],
];
const cases = LISTS.flatMap(([name, orderings, filter, list]) =>
  orderings.map((ordering) => [name, ordering, { ordering, ...filter }, list] as const),
);

async function readByCursor(list: List, query: Query): Promise<Page[]> {
  const pages = [await list({ ...query, page_size: 3 })];
  for (let last = pages[0]!; last.cursor; pages.push(last)) {
    last = await list({ ...query, page_size: 3, page: pages.length + 1, cursor: last.cursor });
  }
  return pages;
}

describe('a list by key', () => {
  it.each(cases)('of %s, ordered by %s, has the records of the whole list in its order', async (_, __, query, list) => {
    const whole = await list({ ...query, page_size: 1000 });
    expect(whole.results.length).toBeGreaterThan(4);
    expect(whole).toMatchObject({ count: whole.results.length, cursor: null });
    const ids = whole.results.map(({ id }) => id);
    const pages = await readByCursor(list, query);
    expect(pages.flatMap(({ results }) => results.map(({ id }) => id))).toEqual(ids);
    for (const page of pages) expect(page.count).toBe(ids.length);
    const second = await list({ ...query, page_size: 3, page: 2 });
    expect(second.results.map(({ id }) => id)).toEqual(ids.slice(3, 6));
  });

  it.each(cases)('of %s, ordered by %s, refuses the cursor of another list', async (_, __, query, list) => {
    const { cursor } = await list({ ...query, page_size: 3 });
    const refused = { code: 'validation_error', details: { 'query.cursor': expect.any(String) } };
    await expect(list({ ...query, cursor: cursor!, search: 'e' })).rejects.toMatchObject(refused);
    await expect(list({ ...query, cursor: 'e30' })).rejects.toMatchObject(refused);
    expect((await list({ ...query, cursor: cursor!, page_size: 1000 })).results.length).toBeGreaterThan(1);
  });

  it('does not repeat or leave out records that stay, if others are deleted in between', async () => {
    const query = { ordering: '-created_date', page_size: 3 };
    const list = LISTS[0]![3];
    const ids = (await list({ ...query, page_size: 1000 })).results.map(({ id }) => id);
    const { cursor, results } = await list(query);
    await database.client.run.update({ where: { id: BigInt(results[0]!.id) }, data: { vaultId: newId() } });
    const next = await list({ ...query, cursor: cursor! });
    expect(next.results.map(({ id }) => id)).toEqual(ids.slice(3, 6));
  });
});

describe('the number of children with a status', () => {
  it('is that of the task group, whatever else the run has', async () => {
    const statuses = ['FAILED', 'SUCCEEDED', 'FAILED,SUCCEEDED', 'PENDING'];
    for (const status of statuses) {
      const { count } = await LISTS[4]![3]({ status });
      const where = { runId: run.run.id, parentId: BigInt(group), status: { in: status.split(',') } };
      expect([status, count]).toEqual([status, await database.client.subjob.count({ where })]);
    }
  });

  it('comes from the counters of the run if it has no other children', async () => {
    const data = {
      nodes: {
        'a-1': { type: 'SCRIPT', script: { source: 'x' } },
        'b-1': {
          type: 'SCRIPT',
          script: { source: 'x' },
          inputs: { x: { type: 'STRING', order: 0 } },
          distribution: { input: 'x', mode: 'line' },
        },
      },
      connections: [{ source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/x' } }],
    };
    const single = await insertSplitRun(database, { caller, folder: system.folder, children: 9, data });
    await database.client.$executeRaw`
      UPDATE runs.subjob SET status = 'FAILED' WHERE run_id = ${single.run.id} AND task IN (1, 2)`;
    await database.client.run.update({ where: { id: single.run.id }, data: { failed: 2, succeeded: 8 } });
    const parent = await database.client.subjob.findFirstOrThrow({ where: { runId: single.run.id, taskCount: 9 } });
    const count = async (status: string) =>
      (
        await system.callAs(caller, listChildren, {
          params: { id: single.id, subjobId: String(parent.id) },
          query: { status },
        })
      ).count;
    expect([await count('FAILED'), await count('SUCCEEDED'), await count('SUCCEEDED,FAILED')]).toEqual([2, 7, 9]);
    expect(await count('RUNNING')).toBe(0);
  });
});
