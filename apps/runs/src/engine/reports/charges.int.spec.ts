import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { drawChain } from '@millrace/graph/testing/draw-workflow';
import { randomWorkflow } from '@millrace/graph/testing/random-workflow';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { FakeWorkers, type Outcome } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';
import { stopRun } from '../stop/stop-run.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

/** Gives each node 0 to 2 retries, depending on the seed. */
function withRetries<Data extends { nodes?: Record<string, object> | null | undefined }>(
  data: Data,
  seed: number,
): Data {
  for (const [at, node] of Object.values(data.nodes ?? {}).entries()) Object.assign(node, { retries: (seed + at) % 3 });
  return data;
}

describe('the cost of a run', () => {
  it('equals the sum of its subjobs and of the published usage, for any outcome of its attempts', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomWorkflow,
        fc.infiniteStream(fc.nat(99)),
        fc.option(fc.nat(12)),
        async ({ data, modules }, dice, stopAt) => {
          const roll = () => dice.next().value as number;
          const { id, plan } = await engine.start(withRetries(data, roll()), modules);
          const outcomeOf = (): Outcome => (roll() < 30 ? 'failed' : 'succeeded');
          const workers = new FakeWorkers(plan, outcomeOf, () => 3);
          for (let round = 0; (await engine.runOf(id)).finishedAt === null; round++) {
            expect(round).toBeLessThan(500);
            await engine.check();
            await engine.decide();
            const out = await engine.dispatch(2);
            if (round === stopAt) await engine.change(id, (tx, run) => stopRun(tx, run, { stoppedBy: newId() }));
            for (const payload of out) {
              const reports = workers.run(payload);
              if (roll() < 20) await engine.apply(reports.slice(0, roll() % reports.length));
              if (roll() < 20) {
                await engine.lose(payload);
              }
              await engine.apply(reports);
              if (roll() < 20) await engine.apply(reports);
            }
          }
          await engine.expectSettled(id);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('includes every attempt, even if it failed and was retried', async () => {
    const chain = drawChain(2);
    Object.assign(chain.nodes['step-2'] ?? {}, { retries: 2 });
    const { id, plan } = await engine.start(chain.data());
    const outcomeOf = (step: { node: string }): Outcome => (step.node === 'step-2' ? 'failed' : 'succeeded');
    await engine.runToEnd(new FakeWorkers(plan, outcomeOf, () => 0));
    const subjobs = await engine.database.client.subjob.findMany({ where: { runId: id }, orderBy: { step: 'asc' } });
    const [first, second] = subjobs.map((subjob) => String(subjob.id));
    expect((await engine.usageOf(id)).sort()).toEqual([`${first}#1`, `${second}#1`, `${second}#2`, `${second}#3`]);
    await engine.expectSettled(id);
  });

  it('is charged to the vault and space of the run, by the engine’s clock', async () => {
    const { id, plan } = await engine.start(drawChain(1).data());
    const [out] = await engine.dispatch();
    const before = Date.now();
    const late = new FakeWorkers(
      plan,
      () => 'succeeded',
      () => 0,
    ).run(out!);
    await engine.apply(late.map((report) => ('at' in report ? { ...report, at: 0 } : report)));
    const [row] = await engine.database.client.outbox.findMany({
      where: { name: subjobsFinished.name },
      orderBy: { createdAt: 'desc' },
      take: 1,
    });
    const [entry] = subjobsFinished.payload.parse(row?.payload).entries;
    const { vaultId, spaceId } = await engine.runOf(id);
    expect(entry).toMatchObject({ vault: vaultId, space: spaceId, run: String(id) });
    expect(Date.parse(entry!.finishedAt)).toBeGreaterThanOrEqual(before);
  });
});
