import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { drawChain } from '@millrace/graph/testing/draw-workflow';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { describeWaiting } from '../../runs/describe-waiting.js';
import { always, FakeWorkers } from '../../testing/fake-workers.js';
import { defaultFleet, SteppedEngine } from '../../testing/stepped-engine.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { RunChange } from '../transaction/run-transaction.js';
import { Watchdog } from './watchdog.js';

let engine: SteppedEngine;
let watchdog: Watchdog;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
beforeEach(() => {
  const dispatcher = { change: <R>(steps: RunChange<R>) => engine.transact(steps) } as unknown as Dispatcher;
  watchdog = new Watchdog(engine.database, dispatcher);
});
afterAll(() => engine.close());

/** A run of two segments whose first one has ended. */
async function startHalf() {
  const chain = drawChain(2);
  Object.assign(chain.nodes['step-1'] ?? {}, { on_error: 'empty' });
  const { id, plan } = await engine.start(chain.data());
  const workers = new FakeWorkers(plan, always('succeeded'), () => 0);
  for (const payload of await engine.dispatch()) await engine.apply(workers.run(payload));
  return { id, workers };
}

const reasonsOf = async (id: bigint, slots = 4) =>
  (await describeWaiting(engine.database, await engine.runOf(id), defaultFleet(slots).fleets)).map(
    ({ reason }) => reason,
  );

describe('the watchdog', () => {
  it('lets a run continue whose next task was never made ready', async () => {
    const { id, workers } = await startHalf();
    await engine.database.client
      .$executeRaw`UPDATE runs.task SET state = 'WAITING' WHERE run_id = ${id} AND state = 'READY'`;
    expect(await reasonsOf(id)).toEqual([]);
    await watchdog.watch();
    expect(await reasonsOf(id)).toEqual([]);
    await watchdog.watch();
    expect(await reasonsOf(id)).toEqual(['slots']);
    await engine.runToEnd(workers);
    expect((await engine.runOf(id)).status).toBe('COMPLETED');
    expect(await watchdog.findWarnings()).toEqual({});
  });

  it('marks and publishes a run that no rule moves, once', async () => {
    const { id } = await startHalf();
    await engine.database.client.$executeRaw`UPDATE runs.task SET state = 'DONE' WHERE run_id = ${id}`;
    for (let round = 0; round < 4; round++) await watchdog.watch();
    expect((await engine.runOf(id)).stalledAt).not.toBeNull();
    expect(await watchdog.findWarnings()).toEqual({ runs: `1 stalled: ${id}` });
    const events = await engine.database.client.outbox.findMany({ where: { name: 'runs.run.stalled' } });
    expect(events.map(({ payload }) => (payload as { run: string }).run)).toEqual([String(id)]);
  });

  it('ends a run that is stopping if all of its tasks have ended', async () => {
    const { id } = await startHalf();
    await engine.database.client.$executeRaw`UPDATE runs.segment SET settled = 0 WHERE run_id = ${id}`;
    await engine.database.client
      .$executeRaw`UPDATE runs.task SET state = 'DONE', outcome = 'BROKEN' WHERE run_id = ${id}`;
    await engine.database.client.$executeRaw`
      UPDATE runs.subjob SET status = 'STOPPED' WHERE run_id = ${id} AND status = 'PENDING'`;
    await engine.database.client.run.update({ where: { id }, data: { status: 'STOPPING', pending: 0, stopped: 1 } });
    for (let round = 0; round < 2; round++) await watchdog.watch();
    expect(await engine.runOf(id)).toMatchObject({ status: 'STOPPED', stalledAt: null });
  });

  it('leaves a run alone that waits for a slot, a worker or a retry', async () => {
    const { id } = await startHalf();
    for (let round = 0; round < 3; round++) await watchdog.watch();
    expect((await engine.runOf(id)).stalledAt).toBeNull();
    expect(await reasonsOf(id)).toEqual(['slots']);
    expect(await reasonsOf(id, 0)).toEqual(['workers']);
    await engine.database.client
      .$executeRaw`UPDATE runs.task SET not_before = now() + interval '1 hour' WHERE run_id = ${id} AND state = 'READY'`;
    expect(await reasonsOf(id)).toEqual(['retry']);
  });
});
