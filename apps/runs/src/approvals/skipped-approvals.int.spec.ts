import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findContacts } from '@millrace/contracts/auth/contacts';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { approveSubjob, rejectSubjob } from '@millrace/contracts/runs/approvals';
import { retryRun } from '@millrace/contracts/runs/runs';
import { retrySubjob, skipSubjob, stopSubjob } from '@millrace/contracts/runs/subjobs';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { draw, type Drawing } from '@millrace/graph/testing/draw-workflow';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { DiskStore } from '@millrace/storage/disk/disk-store';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { PlanStore } from '../engine/plans/plan-store.js';
import { insertRun } from '../launch/insert-run.js';
import { start } from '../start.js';

const owner = ownerCaller();
const space = newId();
const runner = memberCaller(owner, { [space]: 'execute' });
let system: SystemWithStore;
let database: Database;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 2 });
  (await system.fake('auth')).on(findContacts, () => ({ contacts: [] }));
});
afterAll(async () => {
  await database.close();
  await system.close();
});

const OWNER_DECIDES = { approval: { message: 'Ship it?', role: 'owner' } } as const;
/** `ok-1` decides about `ship-1`, which is only ordered after it. */
const ordered = () => draw().approval('ok-1', OWNER_DECIDES).script('ship-1').order('ok-1', 'ship-1');

/** A run whose subjobs are found by their nodes. No worker executes it. */
interface StartedRun {
  id: bigint;
  subjobOf(node: string): Promise<{ id: bigint; status: string; message: string | null }>;
  skip(by: Caller, node: string): Promise<unknown>;
  params(node: string): Promise<{ id: string; subjobId: string }>;
}

async function begin(drawing: Drawing): Promise<StartedRun> {
  const plan = await new PlanStore(new DiskStore(system.folder)).save(compilePlan(drawing.data(), {}));
  const workflow = { id: newId(), name: 'w', space, spaceName: 's', project: null, projectName: null };
  const { id } = await database.transaction((tx) =>
    insertRun(tx, {
      ...{ plan, workflow, vaultId: owner.vault, author: owner.user, name: 'r', version: newId(), inputs: {} },
      ...{ creationType: 'MANUAL', status: 'SUBMITTED', parallelism: 1, timeoutSeconds: null },
      ...{ origin: null, schedule: null },
    }),
  );
  await database.client.task.updateMany({
    where: {
      runId: id,
      segment: { in: plan.plan.segments.filter(({ needs }) => needs.length === 0).map(({ index }) => index) },
    },
    data: { state: 'CHECKING' },
  });
  const subjobOf = (node: string) => database.client.subjob.findFirstOrThrow({ where: { runId: id, node, task: 0 } });
  const params = async (node: string) => ({ id: String(id), subjobId: String((await subjobOf(node)).id) });
  const skip = async (by: Caller, node: string) =>
    system.callAs(by, skipSubjob, { params: await params(node), body: {} });
  return { id, subjobOf, params, skip };
}

/** Waits until an approval can be decided. */
const waitForRequest = ({ id }: StartedRun, node = 'ok-1') =>
  eventually(async () => {
    const { id: subjobId } = await database.client.subjob.findFirstOrThrow({ where: { runId: id, node, task: 0 } });
    expect(await database.client.approval.count({ where: { runId: id, subjobId, decision: null } })).toBe(1);
  });

/** The states of all tasks and subjobs. */
const stateOf = async ({ id }: StartedRun) => ({
  tasks: await database.client.task.findMany({ where: { runId: id }, orderBy: [{ segment: 'asc' }, { index: 'asc' }] }),
  subjobs: await database.client.subjob.findMany({ where: { runId: id }, orderBy: { id: 'asc' } }),
  run: await database.client.run.findUniqueOrThrow({ where: { id }, select: { status: true, repairs: true } }),
});

async function expectRefused(run: StartedRun, node: string): Promise<void> {
  const before = await stateOf(run);
  await expect(run.skip(runner, node)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('the approval "ok-1", which requires the role "owner"'),
  });
  expect(await stateOf(run)).toEqual(before);
}

/** Whether the task of a node may be, or was, executed. */
async function isReleased({ id }: StartedRun, node: string): Promise<boolean> {
  const run = await database.client.run.findUniqueOrThrow({ where: { id } });
  const { plan } = await new PlanStore(new DiskStore(system.folder)).load(run.plan);
  const { segment } = plan.steps.find((step) => step.node === node)!;
  const task = await database.client.task.findFirstOrThrow({ where: { runId: id, segment } });
  return ['READY', 'QUEUED'].includes(task.state);
}

describe('a user who may execute but not decide', () => {
  it('cannot skip an approval, and one who may decide can', async () => {
    const run = await begin(ordered());
    await waitForRequest(run);
    await expectRefused(run, 'ok-1');
    expect(await run.skip(owner, 'ok-1')).toMatchObject({ status: 'SKIPPED', message: 'skipped by a user' });
    expect(await isReleased(run, 'ship-1')).toBe(true);
  });

  it('can skip an approval that needs no stronger role', async () => {
    const run = await begin(draw().approval('ok-1').script('ship-1').order('ok-1', 'ship-1'));
    await waitForRequest(run);
    await run.skip(runner, 'ok-1');
    expect(await isReleased(run, 'ship-1')).toBe(true);
  });

  it('cannot skip a rejected approval, also after a retry of it or of the run', async () => {
    const run = await begin(ordered());
    await waitForRequest(run);
    const params = await run.params('ok-1');
    await system.callAs(owner, rejectSubjob, { params, body: {} });
    expect((await run.subjobOf('ship-1')).status).toBe('SKIPPED');
    for (const node of ['ok-1', 'ship-1']) await expectRefused(run, node);
    await system.callAs(runner, retrySubjob, { params });
    await expect(run.skip(runner, 'ok-1')).rejects.toMatchObject({ code: 'forbidden' });
    await waitForRequest(run);
    await system.callAs(runner, stopSubjob, { params });
    await expectRefused(run, 'ok-1');
    await system.callAs(runner, retryRun, { params: { id: params.id }, body: { nodes: ['ok-1'] } });
    await expect(run.skip(runner, 'ok-1')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await isReleased(run, 'ship-1')).toBe(false);
  });

  it('cannot skip a step that waits for an approval, so that the next one would run', async () => {
    const run = await begin(ordered().script('after-1').order('ship-1', 'after-1'));
    await waitForRequest(run);
    await expectRefused(run, 'ship-1');
    await system.callAs(owner, approveSubjob, { params: await run.params('ok-1'), body: {} });
    await run.skip(runner, 'ship-1');
    expect(await isReleased(run, 'after-1')).toBe(true);
  });

  it('cannot skip a step whose data an approval needs, so that the approval is skipped, too', async () => {
    const build = () => draw().script('build-1').approval('ok-1', OWNER_DECIDES).wire('build-1.file', 'ok-1.file');
    const run = await begin(build().script('ship-1').order('ok-1', 'ship-1'));
    await expectRefused(run, 'build-1');
    await run.skip(owner, 'build-1');
    expect((await run.subjobOf('ok-1')).status).toBe('SKIPPED');
    const other = await begin(
      build().script('other-1').script('ship-1').wire('ok-1.file', 'ship-1.file').wire('other-1.file', 'ship-1.file'),
    );
    await expectRefused(other, 'build-1');
  });

  it('can skip what comes before an approval if nothing can run without its decision', async () => {
    const build = () => draw().script('build-1').approval('ok-1', OWNER_DECIDES);
    const chain = await begin(
      build().wire('build-1.file', 'ok-1.file').script('ship-1').wire('ok-1.file', 'ship-1.file'),
    );
    await chain.skip(runner, 'build-1');
    expect((await chain.subjobOf('ship-1')).status).toBe('SKIPPED');
    const waiting = await begin(build().order('build-1', 'ok-1').script('ship-1').order('ok-1', 'ship-1'));
    await waiting.skip(runner, 'build-1');
    await waitForRequest(waiting);
    expect(await isReleased(waiting, 'ship-1')).toBe(false);
    const beside = await begin(ordered().script('beside-1'));
    await waitForRequest(beside);
    await beside.skip(runner, 'beside-1');
  });
});
