import type { Caller } from '@millrace/contracts/kit/envelope';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import type { Plan } from '@millrace/graph/plan/plan';
import { draw } from '@millrace/graph/testing/draw-workflow';
import type { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { insertRun } from '../launch/insert-run.js';

/** `lines-1` is split: `each-1` takes a line, `then-1` the output of `each-1`, and `all-1` gathers. */
export const splitWorkflow = () =>
  draw()
    .script('lines-1')
    .splitter('split-1')
    .script('each-1', { item: { type: 'STRING', order: 0 } })
    .script('then-1')
    .script('all-1')
    .wire('lines-1.file', 'split-1.multiple')
    .wire('split-1.output', 'each-1.item')
    .wire('each-1.file', 'then-1.file')
    .wire('then-1.folder', 'all-1.folder');

export interface SplitRun {
  run: Run;
  id: string;
  plan: Plan;
  /** The step of a node. */
  step(node: string): number;
}

interface SplitRunOptions {
  caller: Caller;
  /** Folder of the object store. */
  folder: string;
  children: number;
  data?: unknown;
  workflow?: string;
  version?: string;
  space?: string;
}

/** Inserts a run that has ended, with the children of its scope, all SUCCEEDED, as fast as Postgres can. */
export async function insertSplitRun(database: Database, options: SplitRunOptions): Promise<SplitRun> {
  const { caller, folder, children, data = splitWorkflow().data(), workflow = newId(), version = newId() } = options;
  const compiled = compilePlan(data, {});
  const plan = await new PlanStore(new DiskStore(folder)).save(compiled);
  const place = { id: workflow, name: 'w', space: options.space ?? newId(), spaceName: 's' };
  const run = await database.transaction((tx) =>
    insertRun(tx, {
      ...{ plan, workflow: { ...place, project: null, projectName: null }, vaultId: caller.vault, author: caller.user },
      ...{ name: 'r', version, inputs: {}, creationType: 'MANUAL', status: 'PENDING', parallelism: 1 },
      ...{ timeoutSeconds: null, origin: null, schedule: null },
    }),
  );
  const split = compiled.steps.filter(({ scope }) => scope !== null).map(({ index }) => index);
  await database.client.$executeRaw`
    UPDATE runs.subjob SET status = 'SUCCEEDED', started_at = now() - interval '2 s', finished_at = now(),
      task_count = CASE WHEN step = ANY(${split}::int[]) THEN ${children}::int END WHERE run_id = ${run.id}`;
  await database.client.$executeRaw`
    INSERT INTO runs.subjob (run_id, step, task, parent_id, node, label, status, params, started_at, finished_at)
    SELECT run_id, step, n, id, node, label, 'SUCCEEDED', jsonb_build_object('item/split-1', 'host' || n || '.example.org'),
      now() - interval '1 s', now()
    FROM runs.subjob, generate_series(1, ${children}::int) AS n WHERE run_id = ${run.id} AND step = ANY(${split}::int[])`;
  await database.client.$executeRaw`
    UPDATE runs.run SET status = 'COMPLETED', started_at = now() - interval '3 s', finished_at = now() WHERE id = ${run.id}`;
  const step = (node: string) => compiled.steps.findIndex((one) => one.node === node);
  return { run, id: String(run.id), plan: compiled, step };
}
