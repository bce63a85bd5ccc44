import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import type { Report } from '@millrace/contracts/runs/report';
import type { WorkflowData } from '@millrace/graph/data/workflow-data';
import { changeStepInputs } from '@millrace/graph/params/change-step-inputs';
import { setParams, type ParamValues } from '@millrace/graph/params/set-params';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';
import { changeParameters } from './change-parameters.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

const level = { level: { type: 'STRING' as const, order: 1, value: 'former' } };
/** Two steps that one worker executes without asking in between. */
const chain = draw().script('a-1', level).script('b-1', level).wire('a-1.file', 'b-1.file').data();

async function setValues(id: bigint, data: WorkflowData, parameters: ParamValues): Promise<void> {
  const [before, after] = [compilePlan(data, {}), compilePlan(setParams(data, {}, parameters), {})];
  const { plan, steps } = changeStepInputs((await engine.planOf(id)).plan, before, after);
  const saved = await engine.plans.save(plan);
  await engine.change(id, (tx, run) => changeParameters(tx, run, { plan: saved, steps, inputs: {}, parameters }));
}

/** The value of the parameter in the plan that a dispatch executes. */
async function valueIn({ plan }: DispatchPayload, node: string): Promise<unknown> {
  const step = (await engine.plans.load(plan)).plan.steps.find(
    (candidate) => candidate.node === node && candidate.type !== 'SPLIT',
  );
  const binding = step?.inputs.find(({ param }) => param === 'level')?.binding;
  return binding?.from === 'value' ? binding.value : undefined;
}

async function begin(data: WorkflowData) {
  const { id, plan } = await engine.start(data);
  const workers = new FakeWorkers(plan, always('succeeded'), () => 3);
  return { id, plan, workers };
}

async function dispatchOne(): Promise<DispatchPayload> {
  const [payload, ...others] = await engine.dispatch();
  if (!payload || others.length > 0) throw new Error(`${others.length + (payload ? 1 : 0)} dispatches instead of one`);
  return payload;
}

const upTo = (reports: Report[], type: Report['type'], nth: number): Report[] => {
  const at = reports
    .map((report) => report.type)
    .reduce((found, one, n) => (one === type ? [...found, n] : found), [] as number[])[nth - 1];
  return reports.slice(0, (at ?? 0) + 1);
};

describe('changed parameters of a run', () => {
  it('reach a later step of the chain that a worker is executing, whose finished steps stay', async () => {
    const { id, workers } = await begin(chain);
    const first = await dispatchOne();
    const reports = workers.run(first);
    await engine.apply(upTo(reports, 'finished', 1));
    await setValues(id, chain, { 'b-1': { level: 'new' } });
    const { unwanted } = await engine.apply(reports.slice(2));
    expect(unwanted).toEqual([{ dispatches: [first.dispatch], tasks: [0] }]);
    expect(await engine.statusesOf(id)).toEqual({ 'a-1': 'SUCCEEDED', 'b-1': 'PENDING' });
    const second = await dispatchOne();
    expect([await valueIn(second, 'a-1'), await valueIn(second, 'b-1')]).toEqual(['former', 'new']);
    await engine.apply(workers.run(second));
    expect(workers.started).toEqual(['0#0', '1#0', '1#0']);
    const subjobs = await engine.database.client.subjob.findMany({ where: { runId: id } });
    expect(subjobs.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['SUCCEEDED', 1],
      ['SUCCEEDED', 1],
    ]);
    await engine.expectSettled(id);
  });

  it('do not reach a step that has started', async () => {
    const { id, workers } = await begin(chain);
    const payload = await dispatchOne();
    const reports = workers.run(payload);
    await engine.apply(upTo(reports, 'started', 1));
    await setValues(id, chain, { 'a-1': { level: 'new' } });
    const { unwanted } = await engine.apply(reports.slice(1));
    expect(unwanted).toEqual([]);
    expect(await engine.statusesOf(id)).toEqual({ 'a-1': 'SUCCEEDED', 'b-1': 'SUCCEEDED' });
    await engine.retry(id, { nodes: ['a-1'] });
    expect(await valueIn(await dispatchOne(), 'a-1')).toBe('new');
  });

  it('reach a dispatch that no worker has claimed, and a worker that has it all the same cannot start it', async () => {
    const { id, workers } = await begin(chain);
    const former = await dispatchOne();
    await setValues(id, chain, { 'a-1': { level: 'new' } });
    expect((await engine.apply(workers.run(former))).stale).toContain(former.dispatch);
    expect(await engine.statusesOf(id)).toEqual({ 'a-1': 'PENDING', 'b-1': 'PENDING' });
    expect(await valueIn(await dispatchOne(), 'a-1')).toBe('new');
  });

  it('leave dispatches of other nodes alone', async () => {
    const data = draw().script('a-1', level).script('z-1', level).data();
    const { id, workers } = await begin(data);
    const payloads = await engine.dispatch();
    await setValues(id, data, { 'a-1': { level: 'new' } });
    const results = await Promise.all(
      payloads.map(async (payload) => (await engine.apply(workers.run(payload))).stale.length),
    );
    expect(results.filter((stale) => stale > 0)).toHaveLength(1);
    expect(await engine.statusesOf(id)).toEqual({ 'a-1': 'PENDING', 'z-1': 'SUCCEEDED' });
  });

  it('reach the children that have not started', async () => {
    const data = draw()
      .script('list-1')
      .script('each-1', level, { distribution: { input: 'file', mode: 'line' } })
      .wire('list-1.file', 'each-1.file')
      .data();
    const { id, workers } = await begin(data);
    await engine.apply(workers.run(await dispatchOne()));
    await engine.apply(workers.run(await dispatchOne()));
    const [first, ...later] = await engine.dispatch(1);
    expect(later).toEqual([]);
    if (!first) throw new Error('No child was dispatched');
    const reports = workers.run(first);
    await engine.apply(upTo(reports, 'started', 1));
    await setValues(id, data, { 'each-1': { level: 'new' } });
    await engine.apply(reports.slice(1));
    const others = await engine.dispatch(9);
    expect(await Promise.all(others.map((payload) => valueIn(payload, 'each-1')))).toEqual(others.map(() => 'new'));
    expect(await valueIn(first, 'each-1')).toBe('former');
    for (const payload of others) await engine.apply(workers.run(payload));
    await engine.expectSettled(id);
  });

  it('of a run with new variables count as a repair, because workers keep the values of the others until then', async () => {
    const { id } = await begin(chain);
    await setValues(id, chain, { 'a-1': { level: 'plain' } });
    expect((await engine.runOf(id)).repairs).toBe(0);
    await setValues(id, setParams(chain, {}, { 'a-1': { level: 'plain' } }) as WorkflowData, {
      'a-1': { level: '${{vars.TOKEN}}' },
    });
    expect(await engine.runOf(id)).toMatchObject({ repairs: 1, parameters: { 'a-1': { level: '${{vars.TOKEN}}' } } });
  });
});
