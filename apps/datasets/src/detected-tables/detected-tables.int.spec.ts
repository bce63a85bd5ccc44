import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listDetectedTables, saveDetectedTables } from '@millrace/contracts/datasets/detected-tables';
import { detectTables } from '@millrace/contracts/datasets/jobs';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request, Result } from '@millrace/contracts/kit/operation';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { fakeWorkflows, type FakeWorkflows } from '@millrace/testkit/fake-workflows';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';

type Bound = Result<typeof listBoundOutputs>;
type Table = Request<typeof saveDetectedTables>['body']['tables'][number];

let system: SystemWithStore;
let workflows: FakeWorkflows;
let jobs: EventSource;
let store: DiskStore;
/** Outputs of runs, by the ids of the runs. */
const boundOutputs = new Map<string, Bound>();

beforeAll(async () => {
  system = await startWithStore([start]);
  workflows = await fakeWorkflows(system);
  jobs = await system.sourceOf('datasets');
  store = new DiskStore(system.folder);
  const runs = await system.fake('runs');
  runs.on(listBoundOutputs, ({ body }) => {
    const { run, after, limit } = listBoundOutputs.body.parse(body);
    const { outputs, ...rest } = boundOutputs.get(run) ?? { run: null, outputs: [] };
    const from = after === undefined ? 0 : 1 + outputs.findIndex(({ id }) => id === after);
    const page = outputs.slice(from, from + limit);
    return { ...rest, outputs: page, next: page.length < limit ? null : (page.at(-1)?.id ?? null) };
  });
});
afterAll(() => system.close());

let lastRun = 0;

const seeded = () => {
  const owner = ownerCaller();
  const space = workflows.space(owner);
  const workflow = workflows.workflow(owner, space);
  const save = (tables: Table[], caller: Caller = owner, more: object = {}) =>
    system.callAs(caller, saveDetectedTables, {
      body: { workflowId: workflow, workflowName: 'Scan', tables, ...more },
    });
  const list = async (query: object = {}, caller: Caller = owner) => {
    const request = { query: { workflow, ordering: 'name', ...query } };
    const { results, count } = await system.callAs(caller, listDetectedTables, request);
    expect(count).toBe(results.length);
    return results;
  };
  /** Creates a run of the workflow with these outputs, by node and path. */
  const createRun = async (contents: [string, string, string][], status = 'COMPLETED') => {
    const id = String(++lastRun);
    const outputs = await Promise.all(
      contents.map(async ([node, path, content], taskIndex) => {
        const { sha256, size } = await store.put(Buffer.from(content));
        return { id: newId(), subjob: '1', node, taskIndex, path, size, sha256 };
      }),
    );
    const runRecord = { workflow, workflowName: 'Scan', version: newId(), space, partial: false, status };
    boundOutputs.set(id, { run: runRecord, outputs, next: null });
    return id;
  };
  /** The same as `createRun`, followed by the detection. */
  const run = async (...args: Parameters<typeof createRun>) => {
    const id = await createRun(...args);
    await detect(id);
    return id;
  };
  const detect = (...ids: string[]) => {
    const runs = ids.map((run) => ({ run, vault: owner.vault }));
    return jobs.database.transaction(async (tx) => tx.enqueue(detectTables, { runs }));
  };
  return { owner, space, workflow, save, list, createRun, run, detect };
};

const HOSTS = '{"host": "a", "port": 443}\n{"host": "b", "port": null}\n';

describe('reported tables', () => {
  it('are stored, and their ids are returned in the same order', async () => {
    const { workflow, save, list } = seeded();
    const columns = [{ name: 'host', type: 'text' }, { name: '__proto__' }];
    const { results, count } = await save([
      { name: 'b', node_name: 'scan-1', columns, sample: [{ host: 'a' }] },
      { name: 'a', node_name: 'scan-1', output_name: 'more.jsonl' },
    ]);
    expect(count).toBe(2);
    const dates = { created_date: expect.any(String), modified_date: expect.any(String) };
    const common = { workflow, workflow_name: 'Scan', node_name: 'scan-1', ...dates };
    expect(await list()).toEqual([
      { id: results[1], name: 'a', output_name: 'more.jsonl', columns: [], ...common },
      { id: results[0], name: 'b', output_name: 'output.txt', columns, sample: [{ host: 'a' }], ...common },
    ]);
  });

  it('are updated by later reports, and of two equal ones in a request the last one counts', async () => {
    const { save, list } = seeded();
    const first = await save([{ name: 'First', node_name: 'scan-1', columns: [{ name: 'a' }], sample: 1 }]);
    const again = await save([
      { name: 'Second', node_name: 'scan-1' },
      { name: 'Other', node_name: 'scan-2' },
      { name: 'Third', node_name: 'scan-1', output_name: 'output.txt' },
    ]);
    expect(again.results).toEqual([first.results[0], expect.any(String), first.results[0]]);
    expect(await list()).toMatchObject([{ name: 'Other' }, { name: 'Third', columns: [{ name: 'a' }], sample: 1 }]);
    expect(await save([])).toEqual({ results: [], count: 0 });
  });

  it('are stored once even if they are reported concurrently', async () => {
    const { save, list } = seeded();
    const names = ['a', 'b', 'c', 'd'];
    const tables = names.map((name) => ({ name, node_name: name }));
    const all = await Promise.all([save(tables), save(tables.toReversed()), save(tables)]);
    expect(new Set(all.flatMap(({ results }) => results)).size).toBe(4);
    expect(await list()).toHaveLength(4);
  });

  it('are stored with samples up to a limit', async () => {
    const { save, list } = seeded();
    const rows = Array.from({ length: 30 }, (_, n) => ({ n }));
    const long = { text: 'x'.repeat(40_000) };
    await save([
      { name: 'a', node_name: 'a', sample: rows },
      { name: 'b', node_name: 'b', sample: [long, long, long] },
      { name: 'c', node_name: 'c', sample: { text: 'x'.repeat(70_000) } },
    ]);
    const [a, b, c] = await list();
    expect(a?.sample).toEqual(rows.slice(0, 20));
    expect(b?.sample).toEqual([long]);
    expect(c).not.toHaveProperty('sample');
  });

  it("require the role to edit the workflow's space and can be read by users who can read the workflow", async () => {
    const { owner, space, save, list } = seeded();
    await save([{ name: 'a', node_name: 'a' }], memberCaller(owner, { [space]: 'write' }));
    const reader = memberCaller(owner, { [space]: 'read' });
    expect(await list({}, reader)).toHaveLength(1);
    await expect(save([], reader)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(list({}, memberCaller(owner, { [space]: 'insights' }))).rejects.toMatchObject({ code: 'forbidden' });
    for (const outsider of [memberCaller(owner, {}), ownerCaller()]) {
      await expect(save([], outsider)).rejects.toMatchObject({ code: 'not_found' });
      await expect(list({}, outsider)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(save([], owner, { workflowId: "x'" })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are deleted with their workflow', async () => {
    const { owner, workflow, save, list } = seeded();
    await save([{ name: 'a', node_name: 'a' }]);
    const source = await system.sourceOf('workflows');
    await source.emit(workflowDeleted, { vault: owner.vault, workflow });
    await eventually(async () => expect(await list()).toEqual([]));
  });
});

describe('outputs of a completed run', () => {
  it('are tables if their lines are JSON objects', async () => {
    const { list, run } = seeded();
    const id = await run([
      ['scan-1', 'output.txt', HOSTS],
      ['scan-1', 'log.txt', 'started\n'],
      ['scan-2', 'found.jsonl', HOSTS],
      ['scan-3', 'output.txt', ''],
    ]);
    const columns = [
      { name: 'host', type: 'text' },
      { name: 'port', type: 'bigint' },
    ];
    const sample = [
      { host: 'a', port: 443 },
      { host: 'b', port: null },
    ];
    await eventually(async () =>
      expect(await list()).toMatchObject([
        { name: 'scan-1', node_name: 'scan-1', output_name: 'output.txt', columns, sample, run: id },
        { name: 'scan-2 found.jsonl', node_name: 'scan-2', output_name: 'found.jsonl', columns, run: id },
      ]),
    );
  });

  it('are represented by the first non-empty one if their node is distributed', async () => {
    const { list, run } = seeded();
    const empty = Array.from({ length: 1_200 }, (): [string, string, string] => ['each-1', 'output.txt', '']);
    await run([...empty, ['each-1', 'output.txt', HOSTS], ['each-1', 'output.txt', 'text']]);
    await eventually(async () => expect(await list()).toMatchObject([{ name: 'each-1', sample: expect.any(Array) }]));
  });

  it('are examined up to 64 KiB', async () => {
    const { list, run } = seeded();
    const line = `${JSON.stringify({ text: 'x'.repeat(1000) })}\n`;
    await run([
      ['long-1', 'output.txt', `${line.repeat(100)}not a row\n`],
      ['wide-1', 'output.txt', line.replace('xxx', 'x'.repeat(70_000))],
      ['z-1', 'output.txt', HOSTS],
    ]);
    await eventually(async () => expect(await list()).toMatchObject([{ name: 'long-1' }, { name: 'z-1' }]));
  });

  it('do not replace names from users or data from a later run', async () => {
    const { save, list, run, detect } = seeded();
    const { results } = await save([{ name: 'Mine', node_name: 'scan-1', columns: [{ name: 'old' }] }]);
    const earlier = await run([['scan-1', 'output.txt', HOSTS]]);
    const columns = [{ name: 'host' }, { name: 'port' }];
    await eventually(async () => expect(await list()).toMatchObject([{ id: results[0], name: 'Mine', columns }]));
    const later = await run([['scan-1', 'output.txt', '{"new": 1}\n']]);
    await eventually(async () => expect(await list()).toMatchObject([{ columns: [{ name: 'new' }], run: later }]));
    await detect(earlier);
    const last = await run([['z-1', 'output.txt', HOSTS]]);
    await eventually(async () => expect(await list()).toMatchObject([{ name: 'Mine' }, { run: last }]));
    expect(await list()).toMatchObject([{ columns: [{ name: 'new' }], run: later }, {}]);
  });

  it('are examined in each of several runs that finish together', async () => {
    const { list, createRun, detect } = seeded();
    const first = await createRun([['a-1', 'output.txt', 'text\n']]);
    const second = await createRun([['b-1', 'output.txt', HOSTS]]);
    const third = await createRun([
      ['c-1', 'output.txt', 'text\n'],
      ['c-2', 'output.txt', HOSTS],
    ]);
    await detect(first, '999999999', second, third);
    const seen = [
      { name: 'b-1', run: second },
      { name: 'c-2', run: third },
    ];
    await eventually(async () => expect(await list()).toMatchObject(seen));
  });

  it('are ignored if the run did not complete or was deleted', async () => {
    const { list, run, detect } = seeded();
    await run([['scan-1', 'output.txt', HOSTS]], 'FAILED');
    await detect('999999999');
    const id = await run([['last-1', 'output.txt', HOSTS]]);
    await eventually(async () => expect(await list()).toMatchObject([{ name: 'last-1', run: id }]));
    expect(await list()).toHaveLength(1);
  });
});
