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
  more: { path?: string; shownSha256?: string; shownSize?: bigint } = {},
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
