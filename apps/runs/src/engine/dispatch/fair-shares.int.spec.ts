import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { draw } from '@millrace/graph/testing/draw-workflow';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers } from '../../testing/fake-workers.js';
import { SteppedEngine } from '../../testing/stepped-engine.js';
import type { PlanIndex } from '../plans/plan-index.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());
beforeEach(async () => void (await engine.start(draw().data())));

/** A workflow of scripts that do not depend on each other: each is a task. */
function drawScripts(number: number): unknown {
  const drawing = draw();
  for (let n = 1; n <= number; n++) drawing.script(`scan-${n}`);
  return drawing.data();
}

const plans = new Map<bigint, PlanIndex>();

async function startRun(vault: string, scripts: number, priority = 0): Promise<bigint> {
  const { id, plan } = await engine.startAnother(drawScripts(scripts), { vault, priority, parallelism: 100 });
  plans.set(id, plan);
  return id;
}

/** Executes a dispatch to its end. */
async function execute(payload: DispatchPayload): Promise<void> {
  const plan = plans.get(BigInt(payload.run));
  if (!plan) throw new Error(`Run ${payload.run} was not started by this test`);
  await engine.apply(new FakeWorkers(plan, always('succeeded'), () => 0).run(payload));
}

const vaultsOf = (payloads: DispatchPayload[]): Map<string, number> =>
  new Map([...Map.groupBy(payloads, ({ vault }) => vault)].map(([vault, own]) => [vault, own.length]));

describe('dispatching', () => {
  it('gives 50 vaults equal shares, although one has more runs than all others together', async () => {
    const slots = 4;
    const large = newId();
    for (let n = 0; n < 60; n++) await startRun(large, 12);
    const small = Array.from({ length: 49 }, () => newId());
    for (const vault of small) await startRun(vault, 4);

    // One dispatch ends, the next is made: as long as all vaults have tasks, nobody gets two more than anybody else.
    const served = new Map<string, number>();
    const queue = await engine.dispatch(slots);
    for (let round = 0; round < 49 * 4; round++) {
      const next = queue.shift();
      if (!next) throw new Error('Nothing was dispatched');
      served.set(next.vault, (served.get(next.vault) ?? 0) + 1);
      await execute(next);
      queue.push(...(await engine.dispatch(slots)));
      if (round % 50 === 49) {
        const counts = [large, ...small].map((vault) => served.get(vault) ?? 0);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }
    }
  });

  it('shares the slots of a vault among more runs than there are slots', async () => {
    const vault = newId();
    for (let n = 0; n < 12; n++) await startRun(vault, 5);
    const last = await startRun(vault, 1);
    const queue = await engine.dispatch(2);
    for (let round = 0; round < 13; round++) {
      const next = queue.shift();
      if (next) await execute(next);
      queue.push(...(await engine.dispatch(2)));
    }
    expect((await engine.runOf(last)).status).toBe('COMPLETED');
  });

  it('serves the runs of a vault by priority, and takes nothing from other vaults for it', async () => {
    const [vault, other] = [newId(), newId()];
    const usual = await startRun(vault, 8);
    const urgent = await startRun(vault, 2, 5);
    await startRun(other, 8);
    const payloads = await engine.dispatch(3);
    expect(vaultsOf(payloads)).toEqual(
      new Map([
        [vault, 3],
        [other, 3],
      ]),
    );
    expect(payloads.filter(({ run }) => run === String(urgent))).toHaveLength(2);
    expect(payloads.filter(({ run }) => run === String(usual))).toHaveLength(1);
  });

  it('never gives a vault more dispatches than its limit, and uses the slots for others', async () => {
    const [vault, other] = [newId(), newId()];
    await startRun(vault, 8);
    await startRun(vault, 8);
    await startRun(other, 8);
    const first = await engine.dispatch(4, 3);
    expect(vaultsOf(first)).toEqual(
      new Map([
        [vault, 3],
        [other, 3],
      ]),
    );
    expect(await engine.dispatch(4, 3)).toEqual([]);
    for (const payload of first.filter((one) => one.vault === vault)) await execute(payload);
    expect(vaultsOf(await engine.dispatch(4, 3))).toEqual(new Map([[vault, 3]]));
  });

  it('gives a vault as many dispatches as its plan allows, whatever the limit of the others is', async () => {
    const [small, large, usual] = [newId(), newId(), newId()];
    for (const vault of [small, large, usual]) await startRun(vault, 8);
    await engine.database.client.vaultLimit.createMany({
      data: [
        { vaultId: small, number: 1, runningSubjobs: 1 },
        { vaultId: large, number: 1, runningSubjobs: 5 },
        { vaultId: usual, number: 1, activeRuns: 9 },
      ],
    });
    expect(vaultsOf(await engine.dispatch(6, 2))).toEqual(
      new Map([
        [small, 1],
        [large, 5],
        [usual, 2],
      ]),
    );
  });
});
