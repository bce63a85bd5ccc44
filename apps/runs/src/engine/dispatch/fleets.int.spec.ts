import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { meetsRequirement } from '@millrace/graph/plan/placement';
import { draw, drawChain } from '@millrace/graph/testing/draw-workflow';
import { randomWorkflow } from '@millrace/graph/testing/random-workflow';
import { freshDatabase } from '@millrace/testkit/fresh-database';
import { always, FakeWorkers } from '../../testing/fake-workers.js';
import { defaultFleet, SteppedEngine } from '../../testing/stepped-engine.js';
import type { KnownFleet } from '../../workers/fleet-routes.js';
import { findUnclaimedDispatches, jobOf, requeueDispatches, withdrawDispatches } from '../reconcile/requeue-missing.js';

let engine: SteppedEngine;
beforeAll(async () => (engine = await SteppedEngine.open(await freshDatabase())));
afterAll(() => engine.close());

const fleet = (name: string, more: Partial<KnownFleet> = {}): KnownFleet => ({
  ...{ name, labels: {}, sizes: ['small', 'medium', 'large'], slots: 2, isLive: true },
  ...more,
});
const view = (...fleets: KnownFleet[]) => ({ fleets, keys: [] });
const GPU = { labels: { gpu: 'true' } };

/** What the nodes of the random workflows ask for. */
const PLACEMENTS = [{}, {}, { bee_type: 'large' }, GPU, { fleet: 'default' }, { fleet: 'far', labels: { zone: 'eu' } }];
/** Fleets as they may be at one moment. Together, those of each list may lack something. */
const MOMENTS: KnownFleet[][] = [
  [fleet('default')],
  [fleet('default', { slots: 0 })],
  [fleet('default', { sizes: ['small'] }), fleet('gpu', GPU)],
  [fleet('gpu', { ...GPU, slots: 1 }), fleet('far', { labels: { zone: 'eu' } })],
  [fleet('default'), fleet('gpu'), fleet('far', { labels: { zone: 'us' }, slots: 0 })],
];
const EVERYTHING = [fleet('default'), fleet('gpu', GPU), fleet('far', { labels: { zone: 'eu' } })];

async function requiredKeys(): Promise<string[]> {
  const rows = await engine.database.client.requirement.findMany({ distinct: ['key'], select: { key: true } });
  return rows.map(({ key }) => key);
}

/** The queues of all fleets, as workers see them. */
class Queues {
  readonly jobs = new Map<string, { payload: DispatchPayload; fleet: string }>();

  async add(payloads: DispatchPayload[]): Promise<void> {
    const rows = await engine.database.client.dispatch.findMany();
    const fleets = new Map(rows.map(({ id, fleet: name }) => [String(id), name]));
    for (const payload of payloads)
      this.jobs.set(`dispatch-${payload.dispatch}`, { payload, fleet: fleets.get(payload.dispatch) ?? '' });
  }

  take(name: string, count: number): DispatchPayload[] {
    const taken = [...this.jobs].filter(([, job]) => job.fleet === name).slice(0, count);
    for (const [id] of taken) this.jobs.delete(id);
    return taken.map(([, { payload }]) => payload);
  }

  /** As the reconciliation does, for dispatches of any age. */
  async withdraw(fleets: KnownFleet[]): Promise<void> {
    const { client } = engine.database;
    await client.outbox.deleteMany({ where: { kind: 'job' } });
    await client.$executeRaw`UPDATE runs.dispatch SET created_at = now() - interval '1 minute'`;
    const withdrawn = await withdrawDispatches(await findUnclaimedDispatches(engine.database), fleets, async (ids) => {
      for (const id of ids) this.jobs.delete(id);
      return new Set(ids);
    });
    await engine.database.transaction((tx) => requeueDispatches(tx, withdrawn));
    expect(withdrawn.map((id) => jobOf({ id, fleet: '', key: null })).filter((id) => this.jobs.has(id))).toEqual([]);
  }
}

describe('fleets', () => {
  it('run every step once, on a worker that has what it requires, whatever workers come, go and change', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkflow, fc.infiniteStream(fc.nat(999)), async ({ data, modules }, dice) => {
        const roll = (sides: number) => (dice.next().value as number) % sides;
        const { nodes } = data as { nodes: Record<string, object> };
        for (const node of Object.values(nodes)) Object.assign(node, PLACEMENTS[roll(PLACEMENTS.length)]);
        const { id, plan } = await engine.start(data, modules);
        const [workers, queues] = [new FakeWorkers(plan, always('succeeded'), () => 3), new Queues()];
        for (let round = 0; (await engine.runOf(id)).finishedAt === null; round++) {
          expect(round).toBeLessThan(400);
          const fleets = round > 40 ? EVERYTHING : (MOMENTS[roll(MOMENTS.length)] ?? EVERYTHING);
          await engine.check();
          await engine.decide();
          // The view of a copy of the service may be older than the run, but not for long.
          const keys = round > 40 || roll(2) === 0 ? await requiredKeys() : [];
          await queues.add(await engine.dispatchTo({ fleets, keys }));
          for (const { slots, ...offer } of fleets) {
            for (const payload of queues.take(offer.name, slots)) {
              const { dispatch, tasks, requires } = payload;
              if (requires && !meetsRequirement(offer, requires)) {
                const indexes = tasks.map(({ index }) => index);
                await engine.apply([
                  { type: 'returned', dispatch, tasks: indexes },
                  { type: 'closed', dispatch },
                ]);
              } else await engine.apply(workers.run(payload));
            }
          }
          if (roll(2) === 0) await queues.withdraw(fleets);
        }
        expect(new Set(workers.started).size).toBe(workers.started.length);
        expect((await engine.runOf(id)).status).toBe('COMPLETED');
        await engine.expectSettled(id);
      }),
      { numRuns: 8 },
    );
  });

  it('get only steps that ask for what they have, if there is a fleet `default`', async () => {
    await engine.start(drawChain(1).data());
    expect(await engine.dispatchTo(view(fleet('gpu', GPU), fleet('default', { slots: 0 })))).toEqual([]);
    expect(await engine.dispatchTo(view(fleet('gpu', GPU)))).toHaveLength(1);
  });

  it('do not keep a run from others: one that waits for a fleet takes no place of a run that does not', async () => {
    await engine.start(draw().script('a-1', {}, GPU).data());
    for (let n = 0; n < 3; n++) await engine.startAnother(draw().script('a-1', {}, GPU).data());
    const { id } = await engine.startAnother(drawChain(1).data());
    const keys = ['[null,[["gpu","true"]],["small"]]'];
    const [payload, ...others] = await engine.dispatchTo({ fleets: [fleet('default', { slots: 1 })], keys });
    expect([payload?.run, others]).toEqual([String(id), []]);
  });

  it('that may all run a step get as many steps as they have slots, before any waits behind a slot', async () => {
    await engine.start({ nodes: {} });
    for (let n = 0; n < 4; n++) await engine.startAnother(draw().script('a-1', {}, GPU).data());
    await engine.dispatchTo(view(fleet('one', GPU), fleet('two', GPU)));
    const rows = await engine.database.client.dispatch.groupBy({ by: ['fleet'], _count: true });
    expect(Object.fromEntries(rows.map(({ fleet: name, _count }) => [name, _count]))).toEqual({ one: 2, two: 2 });
  });

  it('count towards the parallelism of a run together', async () => {
    await engine.start({ nodes: {} });
    const four = draw().script('a-1').script('b-1', {}, GPU).script('c-1').script('d-1', {}, GPU);
    await engine.startAnother(four.data(), { parallelism: 2 });
    expect(await engine.dispatchTo(view(fleet('default'), fleet('gpu', GPU)))).toHaveLength(2);
    expect(await engine.dispatchTo(view(fleet('default'), fleet('gpu', GPU)))).toEqual([]);
  });

  it('have no effect on the requirement of steps that run anywhere', async () => {
    await engine.start(drawChain(1).data());
    const [payload] = await engine.dispatchTo(defaultFleet(1));
    expect(payload).not.toHaveProperty('requires');
  });
});
