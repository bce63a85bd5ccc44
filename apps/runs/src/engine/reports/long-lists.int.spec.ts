import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FileRef } from '@millrace/contracts/runs/files';
import type { Report } from '@millrace/contracts/runs/report';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';
import { stopChildren } from '../stop/stop-children.js';
import { stopRun } from '../stop/stop-run.js';
import { readChanges } from '../transaction/stored-changes.js';

/** More than one page of rows, and not a multiple of the page size. */
const MANY = 2_345;
const CHILDREN = 1_234;

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

const files: FileRef[] = Array.from({ length: MANY }, (_, at) => ({
  path: `${at}/ä.txt`,
  sha256: String(at).padStart(64, '0'),
  size: at,
}));
const inOrder = files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));

const lines = draw()
  .script('lines-1')
  .splitter('split-1')
  .script('each-1', { item: { type: 'STRING', order: 0 } })
  .script('all-1')
  .wire('lines-1.file', 'split-1.multiple')
  .wire('split-1.output', 'each-1.item')
  .wire('each-1.folder', 'all-1.folder')
  .data();

describe('a long list of outputs', () => {
  it('is stored completely, and passed in order to the step that uses it', async () => {
    const data = draw()
      .script('many-1')
      .script('beside-1')
      .script('count-1')
      .wire('many-1.folder', 'count-1.folder')
      .wire('beside-1.folder', 'count-1.folder')
      .data();
    const { id, plan } = await engine.start(data);
    const many = plan.plan.steps.find(({ node }) => node === 'many-1')?.index ?? -1;
    const workers = new FakeWorkers(plan, always('succeeded'), () => 0);
    const fill = (report: Report): Report =>
      report.type === 'finished' && report.step === many ? { ...report, outputs: { files } } : report;
    for (const payload of await engine.dispatch()) await engine.apply(workers.run(payload).map(fill));
    expect(await engine.database.client.output.count({ where: { runId: id, step: many } })).toBe(MANY);
    const [payload] = await engine.dispatch();
    expect(payload?.shared[many]).toMatchObject({ count: MANY });
    const list = payload!.shared[many]!;
    expect(await engine.outputs.readFiles(list)).toEqual(inOrder);
    // The worker may read it much later.
    const kept = await engine.database.client.runContent.findMany({ where: { runId: id } });
    expect(kept.map(({ sha256 }) => sha256)).toContain('manifest' in list ? list.manifest : '');
  });

  it('is gathered from many children in their order', async () => {
    const { plan } = await engine.start(lines);
    const each = plan.plan.steps.find(({ node }) => node === 'each-1')?.index ?? -1;
    const all = plan.plan.steps.find(({ node }) => node === 'all-1')?.segment;
    const workers = new FakeWorkers(plan, always('succeeded'), () => CHILDREN);
    for (const { index } of plan.plan.segments) engine.durations.record(plan.sha256, index, 1);
    // Three of each child: the pages of a thousand that are read end in the middle of a child.
    const names = ['a.txt', 'b/c.txt', 'ä.txt'];
    const own = names.map((path) => ({ path, sha256: '0'.repeat(64), size: 1 }));
    const fill = (report: Report): Report =>
      report.type === 'finished' && report.step === each ? { ...report, outputs: { files: own } } : report;
    let gathered: FileRef[] = [];
    for (let out = await engine.dispatch(); out.length > 0; out = await engine.dispatch()) {
      for (const payload of out) {
        if (payload.segment === all) gathered = await engine.outputs.readFiles(payload.shared[each]!);
        await engine.apply(workers.run(payload).map(fill));
      }
    }
    const paths = Array.from({ length: CHILDREN }, (_, at) => names.map((name) => `${at + 1}/${name}`));
    expect(gathered.map(({ path }) => path)).toEqual(paths.flat());
  });
});

it('stopping a run with many children numbers the status changes without a gap', async () => {
  const { id, plan } = await engine.start(lines);
  const workers = new FakeWorkers(plan, always('succeeded'), () => MANY);
  for (let round = 0; round < 2; round++) {
    for (const payload of await engine.dispatch(1)) await engine.apply(workers.run(payload));
  }
  await engine.change(id, (tx, run) => stopRun(tx, run, { stoppedBy: newId() }));
  while ((await engine.runOf(id)).stopSegment !== null) {
    await engine.change(id, (tx, run) => stopChildren(tx, run, MANY / 3));
  }
  const rows = await engine.database.client.runChange.findMany({ where: { runId: id }, orderBy: { seq: 'asc' } });
  let next = 1;
  for (const { seq, changes } of rows) {
    expect(seq).toBe(next);
    next += readChanges(changes).length;
  }
  expect(next - 1).toBe((await engine.runOf(id)).changeSeq);
  expect(next).toBeGreaterThan(MANY);
});
