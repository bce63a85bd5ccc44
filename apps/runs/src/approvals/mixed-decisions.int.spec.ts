import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Step } from '@millrace/graph/plan/plan';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { skipSubjob } from '../engine/retry/retry-run.js';
import { always, FakeWorkers, type Outcome } from '../testing/fake-workers.js';
import { SteppedEngine } from '../testing/stepped-engine.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

const FILE = { type: 'FILE', order: 0 } as const;

const subjobOf = (runId: bigint, node: string, task = 0) =>
  engine.database.client.subjob.findFirstOrThrow({ where: { runId, node, task } });
const messageOf = async (run: bigint, node: string, task = 0) => {
  const { status, message } = await subjobOf(run, node, task);
  return `${status} ${message}`;
};

/** Rejects the open approval of one node, of all its children, or of one child; the others stay open. */
async function reject(run: bigint, node: string, task = 0): Promise<void> {
  const others = await engine.database.client.$queryRaw<{ segment: number; index: number }[]>`
    UPDATE runs.task SET state = 'WAITING' WHERE state = 'UNDECIDED' AND run_id = ${run} AND (segment, index) NOT IN (
      SELECT a.segment, a.index FROM runs.approval a JOIN runs.subjob s ON s.id = a.subjob_id
      WHERE a.run_id = ${run} AND s.node = ${node} AND s.task = ${task}) RETURNING segment, index`;
  expect(await engine.decide(() => 'rejected')).toBe(1);
  for (const { segment, index } of others) {
    const where = { runId_segment_index: { runId: run, segment, index } };
    const { state } = await engine.database.client.task.findUniqueOrThrow({ where });
    if (state === 'WAITING') await engine.database.client.task.update({ where, data: { state: 'UNDECIDED' } });
  }
}

const skip = async (run: bigint, node: string, task = 0, mayDecide = () => true) => {
  const { id } = await subjobOf(run, node, task);
  await engine.change(run, (tx, locked) =>
    skipSubjob(tx, locked, id, { reason: 'skipped by a user: late', mayDecide }),
  );
};

describe('a step after two approvals', () => {
  const ordered = draw()
    .approval('ok-1')
    .approval('ok-2')
    .script('ship-1')
    .script('after-1')
    .order('ok-1', 'ship-1')
    .order('ok-2', 'ship-1')
    .wire('ship-1.file', 'after-1.file')
    .data();

  it('names both if both are rejected, one after the other', async () => {
    const { id } = await engine.start(ordered);
    await engine.check();
    await reject(id, 'ok-2');
    for (const node of ['ship-1', 'after-1']) expect(await messageOf(id, node)).toBe('SKIPPED skipped: ok-2 failed');
    await reject(id, 'ok-1');
    for (const node of ['ship-1', 'after-1']) {
      expect(await messageOf(id, node)).toBe('SKIPPED skipped: ok-1 failed; ok-2 failed');
    }
  });

  it('names only the rejected one if it is only ordered after the skipped one', async () => {
    const { id } = await engine.start(ordered);
    await engine.check();
    await skip(id, 'ok-1');
    await reject(id, 'ok-2');
    expect(await messageOf(id, 'ship-1')).toBe('SKIPPED skipped: ok-2 failed');
  });

  it.each([
    ['the skipped one first', ['skip', 'reject']],
    ['the rejected one first', ['reject', 'skip']],
  ])('names a rejected and a skipped one if it takes data from both, %s', async (_, order) => {
    const drawing = draw().approval('ok-1').approval('ok-2').script('ship-1', { a: FILE, b: FILE });
    const { id } = await engine.start(drawing.wire('ok-1.file', 'ship-1.a').wire('ok-2.file', 'ship-1.b').data());
    await engine.check();
    for (const step of order) await (step === 'skip' ? skip(id, 'ok-1') : reject(id, 'ok-2'));
    expect(await messageOf(id, 'ship-1')).toBe('SKIPPED skipped: ok-1 was skipped by a user: late; ok-2 failed');
  });
});

describe('the children of approvals', () => {
  const children = draw()
    .script('lines-1')
    .splitter('split-1')
    .script('each-1', { item: { type: 'STRING', order: 0 } })
    .approval('ok-1', { on_error: 'continue', approval: { role: 'owner' } })
    .script('common-1')
    .script('then-1', { file: FILE, common: FILE })
    .script('all-1')
    .wire('lines-1.file', 'split-1.multiple')
    .wire('split-1.output', 'each-1.item')
    .wire('each-1.file', 'ok-1.file')
    .wire('ok-1.file', 'then-1.file')
    .wire('common-1.file', 'then-1.common')
    .wire('then-1.folder', 'all-1.folder')
    .data();

  /** Starts a run with three children that wait for an approval. */
  async function begin(outcomeOf: (step: Step, task: number) => Outcome = always('succeeded')) {
    const { id, plan } = await engine.start(children);
    const workers = new FakeWorkers(plan, outcomeOf, () => 3);
    for (let out = await engine.dispatch(); out.length > 0; out = await engine.dispatch()) {
      for (const payload of out) await engine.apply(workers.run(payload));
      await engine.check();
    }
    return { id, workers };
  }

  it('have reasons of their own if one is rejected and another one is skipped, also after a retry', async () => {
    const { id, workers } = await begin();
    await reject(id, 'ok-1', 1);
    await skip(id, 'ok-1', 2);
    const expectReasons = async () => {
      expect(await messageOf(id, 'then-1', 1)).toBe('SKIPPED skipped: ok-1 failed');
      expect(await messageOf(id, 'then-1', 2)).toBe('SKIPPED skipped: ok-1 was skipped by a user: late');
    };
    await expectReasons();
    await engine.decide();
    await engine.runToEnd(workers);
    await engine.retry(id, { nodes: ['common-1'] });
    expect((await subjobOf(id, 'then-1', 3)).status).toBe('PENDING');
    await expectReasons();
    await engine.runToEnd(workers);
    expect((await subjobOf(id, 'all-1')).status).toBe('SUCCEEDED');
    expect(await messageOf(id, 'then-1')).toBe('SKIPPED skipped: ok-1 failed; and 1 more');
  });

  it('cannot be skipped by a user who may not decide, but a child that failed before its approval can', async () => {
    const { id, workers } = await begin(({ node }, task) => (node === 'each-1' && task === 3 ? 'failed' : 'succeeded'));
    const denied = () => false;
    for (const [node, task] of [
      ['ok-1', 2],
      ['ok-1', 0],
      ['then-1', 2],
      ['all-1', 0],
    ] as const)
      await expect(skip(id, node, task, denied)).rejects.toMatchObject({ code: 'forbidden' });
    await skip(id, 'each-1', 3, denied);
    expect(await messageOf(id, 'then-1', 3)).toBe('SKIPPED skipped: each-1 was skipped by a user: late');
    await engine.decide();
    await engine.runToEnd(workers);
    expect(await engine.statusesOf(id)).toMatchObject({ 'then-1#2': 'SUCCEEDED', 'all-1': 'SUCCEEDED' });
  });
});
