import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { findMissingFetches, refetchInputs } from '../engine/reconcile/requeue-missing.js';
import { stopRun } from '../engine/stop/stop-run.js';
import { stopSubjob } from '../engine/stop/stop-subjob.js';
import { always, FakeWorkers } from '../testing/fake-workers.js';
import { SteppedEngine } from '../testing/stepped-engine.js';
import { applyFetchedInputs } from './apply-fetched-inputs.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

const URL = 'https://example.org/list.txt';
const FILE: InputValue = { path: 'list.txt', sha256: 'b'.repeat(64), size: 3 };
const FOLDER: InputValue = { folder: { files: [{ path: 'a', sha256: 'c'.repeat(64), size: 1 }] } };

/** Starts a run with two inputs by URL. `a-1` and `b-1` use one each, `c-1` follows `a-1`, and `d-1` uses no input. */
const begin = () =>
  engine.start(
    draw()
      .primitive('f', 'FILE', null, 'List')
      .primitive('g', 'FOLDER', null, 'Code')
      .script('a-1')
      .script('b-1')
      .script('c-1')
      .script('d-1')
      .wire('f', 'a-1.file')
      .wire('g', 'b-1.folder')
      .wire('a-1.file', 'c-1.file')
      .data(),
    {},
    { f: URL, g: 'https://example.org/code.git' },
  );

const findFetches = async (id: bigint) => {
  const rows = await engine.database.client.outbox.findMany({ where: { name: 'runs.fetchInputs' } });
  return rows.filter(({ payload }) => (payload as { run: string }).run === String(id)).map(({ payload }) => payload);
};

const fetched = {
  inputs: [
    { primitive: 'f', value: FILE },
    { primitive: 'g', value: FOLDER },
  ],
  problems: [],
};

describe('a run with inputs given by URL', () => {
  it('starts no step before its inputs have arrived', async () => {
    const { id, plan } = await begin();
    expect(await engine.runOf(id)).toMatchObject({ status: 'PENDING', fetching: true });
    expect(await findFetches(id)).toEqual([
      expect.objectContaining({
        run: String(id),
        inputs: [
          { primitive: 'f', type: 'FILE', url: URL },
          { primitive: 'g', type: 'FOLDER', url: 'https://example.org/code.git' },
        ],
      }),
    ]);
    expect(await engine.dispatch()).toEqual([]);
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, fetched));
    const out = await engine.dispatch();
    expect(out.length).toBeGreaterThan(0);
    for (const { inputs } of out) expect(inputs).toEqual({ f: FILE, g: FOLDER });
    const workers = new FakeWorkers(plan, always('succeeded'), () => 0);
    await engine.apply(out.flatMap((payload) => workers.run(payload)));
    await engine.runToEnd(workers);
    expect(await engine.runOf(id)).toMatchObject({ status: 'COMPLETED', fetching: false });
    await engine.expectSettled(id);
  });

  it('applies the inputs once; repeated or different results change nothing', async () => {
    const { id, plan } = await begin();
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, fetched));
    const problems = [{ primitive: 'f', message: 'late' }];
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, { inputs: [], problems }));
    await engine.runToEnd(new FakeWorkers(plan, always('succeeded'), () => 0));
    expect(await engine.runOf(id)).toMatchObject({ status: 'COMPLETED', inputs: { f: FILE, g: FOLDER }, error: null });
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, { inputs: [], problems }));
    await engine.expectSettled(id);
  });

  it('fails if an input cannot be fetched, and names the input and the reason', async () => {
    const { id } = await begin();
    const problems = [{ primitive: 'g', message: 'https://example.org/code.git: there is no such repository' }];
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, { inputs: fetched.inputs.slice(0, 1), problems }));
    expect(await engine.runOf(id)).toMatchObject({
      status: 'FAILED',
      fetching: false,
      error: 'input Code: https://example.org/code.git: there is no such repository',
    });
    expect(new Set(Object.values(await engine.statusesOf(id)))).toEqual(new Set(['SKIPPED']));
    await engine.expectSettled(id);
    expect(await engine.dispatch()).toEqual([]);
  });

  it.each<[string, InputValue]>([
    ['text', 'x'],
    ['a folder', FOLDER],
  ])('fails if it gets %s instead of a file', async (_kind, value) => {
    const { id } = await begin();
    const inputs = [{ primitive: 'f', value }, fetched.inputs[1]!, { primitive: 'other', value: FILE }];
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, { inputs, problems: [] }));
    expect((await engine.runOf(id)).error).toBe('input List: it was not fetched');
    await engine.expectSettled(id);
  });

  it('ends its task groups when it fails', async () => {
    const { id } = await engine.start(
      draw()
        .primitive('f', 'FILE', null)
        .script('a-1', { x: { type: 'STRING', order: 0 } }, { distribution: { input: 'x', mode: 'line' } })
        .wire('f', 'a-1.x')
        .data(),
      {},
      { f: URL },
    );
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, { inputs: [], problems: [] }));
    expect(await engine.runOf(id)).toMatchObject({ status: 'FAILED' });
    await engine.expectSettled(id);
  });

  it('can be stopped, and ignores inputs that arrive afterwards', async () => {
    const { id } = await begin();
    let stoppedJobs: string[] = [];
    await engine.change(id, async (tx, run) => (stoppedJobs = await stopRun(tx, run, { stoppedBy: newId() })));
    expect(stoppedJobs).toEqual([`fetch-${id}`]);
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, fetched));
    expect(await engine.runOf(id)).toMatchObject({ status: 'STOPPED', fetching: false });
    expect(await engine.dispatch()).toEqual([]);
    await engine.expectSettled(id);
  });

  it('continues without a subjob that was stopped in the meantime', async () => {
    const { id, plan } = await begin();
    const subjob = await engine.database.client.subjob.findFirstOrThrow({ where: { runId: id, node: 'a-1' } });
    await engine.change(id, (tx, run) => stopSubjob(tx, run, subjob));
    expect(await engine.dispatch()).toEqual([]);
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, fetched));
    await engine.runToEnd(new FakeWorkers(plan, always('succeeded'), () => 0));
    const statuses = { 'a-1': 'STOPPED', 'b-1': 'SUCCEEDED', 'c-1': 'SKIPPED', 'd-1': 'SUCCEEDED' };
    expect(await engine.statusesOf(id)).toEqual(statuses);
    await engine.expectSettled(id);
  });
});

describe('a fetch that the queue has lost', () => {
  const findLost = () => findMissingFetches(engine.database, () => Promise.resolve(new Set()));
  const age = (id: bigint) =>
    engine.database.client.$executeRaw`UPDATE runs.run SET created_at = now() - interval '1 minute' WHERE id = ${id}`;
  const relay = () => engine.database.client.$executeRaw`UPDATE messaging.outbox SET relayed_at = now()`;

  it('is found when it has been relayed and some time has passed', async () => {
    const { id } = await begin();
    await age(id);
    expect(await findLost()).toEqual([]);
    await relay();
    expect(await findLost()).toEqual([id]);
    const queued = new Set([`fetch-${id}`]);
    expect(await findMissingFetches(engine.database, () => Promise.resolve(queued))).toEqual([]);
  });

  it('is repeated three times, and then the run fails', async () => {
    const { id } = await begin();
    for (let time = 0; time < 3; time++) await engine.change(id, refetchInputs);
    const fetches = await findFetches(id);
    expect(fetches).toHaveLength(4);
    expect(fetches[3]).toEqual(fetches[0]);
    expect(await engine.runOf(id)).toMatchObject({ status: 'PENDING', fetching: true });
    await engine.change(id, refetchInputs);
    expect(await engine.runOf(id)).toMatchObject({
      status: 'FAILED',
      error: 'its inputs could not be fetched: every worker that tried was lost before it finished',
    });
    await engine.expectSettled(id);
  });

  it('is not repeated for a run that has its inputs', async () => {
    const { id } = await begin();
    await engine.change(id, (tx, run) => applyFetchedInputs(tx, run, fetched));
    await engine.change(id, refetchInputs);
    expect(await findFetches(id)).toHaveLength(1);
  });
});
