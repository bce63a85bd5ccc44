import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listBoundOutputs } from '@millrace/contracts/datasets/loads';
import type { Request } from '@millrace/contracts/kit/operation';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { insertRun } from '../launch/insert-run.js';
import { start } from '../start.js';

const STORED = 'a'.repeat(64);
const MASKED = 'b'.repeat(64);
/** The node a-1 gets the output of first-1, and b-1 is beside both. */
const gathering = compilePlan(
  {
    nodes: Object.fromEntries(
      ['first-1', 'a-1', 'b-1'].map((name) => [name, { type: 'SCRIPT', script: { source: 'x' } }]),
    ),
    connections: [{ source: { id: 'output/first-1/folder' }, destination: { id: 'input/a-1/folder/first-1' } }],
  },
  {},
);
let system: SystemWithStore;
let database: Database;
let datasets: FakeService;
let run: Run;

beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  datasets = await system.fake('datasets');
});
afterAll(async () => {
  await database.close();
  await system.close();
});

beforeEach(async () => {
  const script = { type: 'SCRIPT', script: { source: 'x' } };
  const named = { ...script, meta: { label: 'hosts' } };
  const data = { nodes: { 'a-1': script, 'm-1': { type: 'WORKFLOW', workflow: 'inner' } } };
  const inner = { workflow_id: newId(), name: 'inner', data: { nodes: { 'find-1': named } } };
  const plan = await new PlanStore(new DiskStore(system.folder)).save(compilePlan(data, { inner }));
  const workflow = { id: newId(), name: 'w', space: newId(), spaceName: 's', project: null, projectName: null };
  run = await database.transaction((tx) =>
    insertRun(tx, {
      ...{ plan, workflow, vaultId: newId(), author: newId(), name: 'r', version: newId(), inputs: {} },
      ...{ creationType: 'MANUAL', status: 'PENDING', parallelism: 1, timeoutSeconds: null },
      ...{ origin: null, schedule: null, fetching: false },
    }),
  );
});

async function insertOutput(
  node: string,
  task: number,
  more: { path?: string; shownSha256?: string; shownSize?: bigint; replaced?: boolean } = {},
) {
  const id = newId();
  await database.client.output.create({
    data: {
      ...{ id, runId: run.id, subjobId: 7n, step: 0, task, node, label: '', path: 'output.txt', size: 9n },
      ...{ sha256: STORED, ...more },
    },
  });
  return id;
}

const listOutputs = (more: Partial<Request<typeof listBoundOutputs>['body']> = {}) =>
  datasets.call(listBoundOutputs, {
    run: String(run.id),
    vault: run.vaultId,
    node: 'a-1',
    path: 'output.txt',
    ...more,
  });

describe('outputs bound to a table', () => {
  it('are the outputs of the node and path, with children in order', async () => {
    const second = await insertOutput('a-1', 2);
    const first = await insertOutput('a-1', 1);
    await insertOutput('b-1', 1);
    await insertOutput('a-1', 1, { path: 'other.txt' });
    const { outputs, next } = await listOutputs();
    expect(outputs.map(({ id }) => id)).toEqual([first, second]);
    expect(next).toBeNull();
    expect(outputs[0]).toEqual({
      ...{ id: first, subjob: '7', node: 'a-1', taskIndex: 1, path: 'output.txt', size: 9, sha256: STORED },
    });
  });

  it('are listed in pages, each output once', async () => {
    for (let task = 1; task <= 5; task++) await insertOutput('a-1', task);
    const seen: number[] = [];
    let after: string | undefined;
    do {
      const page = await listOutputs({ limit: 2, ...(after !== undefined && { after }) });
      seen.push(...page.outputs.map(({ taskIndex }) => taskIndex));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('are those of the latest attempts, without the outputs that a retry has replaced', async () => {
    await insertOutput('a-1', 1, { replaced: true });
    const retried = await insertOutput('a-1', 1);
    await database.client.run.update({ where: { id: run.id }, data: { revision: 2 } });
    const { run: found, outputs } = await listOutputs();
    expect(outputs.map(({ id }) => id)).toEqual([retried]);
    expect(found).toMatchObject({ revision: 2 });
  });

  it.each([
    ['complete if all subjobs of their node succeeded', { 'b-1': 'FAILED' }, true],
    ['incomplete if a child of their node failed', { 'a-1': 'FAILED' }, false],
    ['incomplete if a child of their node was skipped', { 'a-1': 'SKIPPED' }, false],
    ['incomplete if a step that their node gathers from failed', { 'first-1': 'FAILED' }, false],
  ] as const)('of a run that tolerated failures are %s', async (_, statuses: Record<string, string>, complete) => {
    const rows = gathering.steps.map(({ index, node }) => ({
      ...{ runId: run.id, step: index, task: 1, node, label: '', status: statuses[node] ?? 'SUCCEEDED' },
    }));
    await database.client.subjob.deleteMany({ where: { runId: run.id } });
    await database.client.subjob.createMany({ data: rows });
    const plan = await new PlanStore(new DiskStore(system.folder)).save(gathering);
    const data = { status: 'COMPLETED', plan: plan.sha256 };
    await database.client.run.update({ where: { id: run.id }, data });
    expect((await listOutputs()).run).toMatchObject({ complete: true });
    await database.client.run.update({ where: { id: run.id }, data: { hasFailures: true } });
    expect((await listOutputs()).run).toMatchObject({ complete });
    await database.client.run.update({ where: { id: run.id }, data: { hasFailures: false, repairs: 1 } });
    expect((await listOutputs()).run).toMatchObject({ complete });
    await database.client.run.update({ where: { id: run.id }, data: { status: 'FAILED' } });
    expect((await listOutputs()).run).toMatchObject({ complete: false });
  });

  it('have the content that users may see, not the content for later steps', async () => {
    await insertOutput('a-1', 1, { shownSha256: MASKED, shownSize: 4n });
    expect((await listOutputs()).outputs).toMatchObject([{ sha256: MASKED, size: 4 }]);
  });

  it('are found by the port of a module', async () => {
    const id = await insertOutput('m-1/find-1', 0);
    expect((await listOutputs({ node: 'm-1', path: 'hosts', module: true })).outputs).toMatchObject([{ id }]);
    expect((await listOutputs({ node: 'm-1', path: 'nothing', module: true })).outputs).toEqual([]);
  });

  it('are the outputs of all nodes if the request names none', async () => {
    await insertOutput('a-1', 0);
    await insertOutput('b-1', 0);
    const all = await datasets.call(listBoundOutputs, { run: String(run.id), vault: run.vaultId });
    expect(all.outputs).toHaveLength(2);
  });

  it('are empty for a run of another vault and for a run that does not exist', async () => {
    await insertOutput('a-1', 0);
    expect(await listOutputs({ vault: newId() })).toEqual({ run: null, outputs: [], next: null });
    expect(await listOutputs({ run: 'nothing' })).toMatchObject({ run: null });
    expect((await listOutputs()).run).toMatchObject({ workflow: run.workflowId, partial: false, status: 'PENDING' });
  });
});
