import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { retentionChanged } from '@millrace/contracts/auth/retention';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startWithStore, type SystemWithStore } from '@millrace/testkit/start-with-store';
import { start } from '../start.js';
import { deleteExpired } from './delete-expired.js';
import { findWorkflows, type KeptWorkflow } from './find-retention.js';
import { RunRetentionService } from './run-retention.service.js';

const GRACE_MINUTES = 5;
let system: SystemWithStore;
let database: Database;
let auth: EventSource;
let workflows: EventSource;
beforeAll(async () => {
  system = await startWithStore([start]);
  database = new Database({ url: system.database.url, service: 'runs', connections: 6 });
  auth = await system.sourceOf('auth');
  workflows = await system.sourceOf('workflows');
});
afterAll(async () => {
  await database.close();
  await system.close();
});
beforeEach(() => system.database.query('DELETE FROM runs.run'));

interface Place {
  vault: string;
  space: string;
  workflow: string;
}
const newPlace = (more: Partial<Place> = {}): Place => ({
  ...{ vault: newId(), space: newId(), workflow: newId(), ...more },
});

interface RunOptions {
  status?: string;
  /** Hours since the start and since the end; a run without an end is under way. */
  started?: number;
  ended?: number | null;
  pinned?: boolean;
}

async function makeRun(
  place: Place,
  { status = 'COMPLETED', started = 48, ended = started, pinned = false }: RunOptions,
) {
  const [row] = await system.database.query<{ id: string }>(
    `INSERT INTO runs.run (vault_id, space_id, workflow_id, name, status, creation_type, workflow_name, version_id, space_name,
       author, plan, inputs, parallelism, open_segments, pinned, created_at, finished_at)
     VALUES ($1, $2, $3, 'r', $4, 'MANUAL', 'w', gen_random_uuid(), 's', gen_random_uuid(), '', '{}', 1, 0, $5,
       now() - $6 * interval '1 hour', now() - $7::float8 * interval '1 hour')
     RETURNING id::text`,
    [place.vault, place.space, place.workflow, status, pinned, started, ended],
  );
  return row!.id;
}

const runsOf = async ({ workflow }: Place): Promise<string[]> => {
  const rows = await system.database.query<{ id: string }>(
    'SELECT id::text FROM runs.run WHERE workflow_id = $1 AND deleted_at IS NULL ORDER BY run.id',
    [workflow],
  );
  return rows.map(({ id }) => id);
};

type Limits = Pick<KeptWorkflow, 'days' | 'runs'>;

let numbers = 0;
const publish = (vault: string, scope: string, limits: Limits | null, number = ++numbers) =>
  auth.emit(retentionChanged, { vault, scope, number, limits });

/** Publishes limits, and waits until the service has stored them. */
async function setLimits(vault: string, scope: string, limits: Limits | null): Promise<void> {
  const number = ++numbers;
  await publish(vault, scope, limits, number);
  await eventually(async () => {
    const rows = await system.database.query('SELECT number::int FROM runs.retention_policy WHERE scope_id = $1', [
      scope,
    ]);
    expect(rows).toEqual([{ number }]);
  });
}

const expire = (place: Place, limits: Limits, { limit = 100, isDeleted = false } = {}) =>
  deleteExpired(database, { ...place, ...limits, isDeleted }, { graceMinutes: GRACE_MINUTES, limit });

const applyAll = () => new RunRetentionService(database, GRACE_MINUTES).apply();

const run = fc.record({
  status: fc.constantFrom('COMPLETED', 'COMPLETED', 'FAILED', 'STOPPED', 'RUNNING'),
  started: fc.integer({ min: 1, max: 200 }),
  lasted: fc.nat(100),
  pinned: fc.boolean(),
});

describe('retention', () => {
  it('keeps exactly the runs within the limits, pinned ones, those under way and the newest success of a workflow that exists', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { maxLength: 14 }),
        fc.option(fc.integer({ min: 1, max: 6 })),
        fc.option(fc.integer({ min: 1, max: 6 })),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (drafts, days, runs, limit, isDeleted) => {
          const place = newPlace();
          const made: { id: string; status: string; started: number; ended: number | null; pinned: boolean }[] = [];
          for (const { lasted, ...draft } of drafts) {
            const ended = draft.status === 'RUNNING' ? null : Math.max(0, draft.started - lasted);
            made.push({ ...draft, ended, id: await makeRun(place, { ...draft, ended }) });
          }
          await setLimits(place.vault, place.vault, { days, runs });
          while ((await expire(place, { days, runs }, { limit, isDeleted })) > 0);
          // Runs that started in the same hour differ by microseconds: later ones are newer.
          const newest = made.toReversed().toSorted((a, b) => a.started - b.started);
          const success = newest.find(({ status }) => status === 'COMPLETED');
          const kept = newest.filter(({ started: _, ended, ...one }, at) => {
            if (one.pinned || ended === null || ended * 60 <= GRACE_MINUTES) return true;
            if (one.id === success?.id && !isDeleted) return true;
            // At least so long ago: time passes while the test runs.
            return !(days !== null && ended >= 24 * days) && !(runs !== null && at >= (isDeleted ? 0 : runs));
          });
          expect(await runsOf(place)).toEqual(kept.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b)));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('follows the limits of the space before those of the vault', async () => {
    const vault = newId();
    const [own, other, forever] = [newPlace({ vault }), newPlace({ vault }), newPlace({ vault })];
    for (const place of [own, other, forever]) for (let n = 0; n < 5; n++) await makeRun(place, { started: 10 - n });
    await setLimits(vault, vault, { days: null, runs: 3 });
    await setLimits(vault, own.space, { days: null, runs: 1 });
    await setLimits(vault, forever.space, { days: null, runs: null });
    await applyAll();
    const counts = async () => Promise.all([own, other, forever].map(async (place) => (await runsOf(place)).length));
    expect(await counts()).toEqual([1, 3, 5]);
    await setLimits(vault, forever.space, null);
    await applyAll();
    expect(await counts()).toEqual([1, 3, 3]);
  });

  it('keeps all runs of other vaults, and of vaults without limits', async () => {
    const [limited, free] = [newPlace(), newPlace()];
    for (const place of [limited, free]) for (let n = 0; n < 3; n++) await makeRun(place, { started: 5_000 });
    await setLimits(limited.vault, limited.vault, { days: 30, runs: 2 });
    await setLimits(free.vault, free.vault, { days: null, runs: null });
    await applyAll();
    expect([(await runsOf(limited)).length, (await runsOf(free)).length]).toEqual([1, 3]);
  });

  it('keeps no newest runs of deleted workflows', async () => {
    const vault = newId();
    const [byAge, byNumber, existing] = [newPlace({ vault }), newPlace({ vault }), newPlace({ vault })];
    for (const place of [byAge, byNumber, existing]) for (const started of [100, 10]) await makeRun(place, { started });
    const pinned = await makeRun(byNumber, { started: 50, pinned: true });
    await setLimits(vault, vault, { days: 2, runs: null });
    await setLimits(vault, byNumber.space, { days: null, runs: 9 });
    for (const { workflow } of [byAge, byNumber]) await workflows.emit(workflowDeleted, { vault, workflow });
    await eventually(async () => {
      const where = { workflowId: { in: [byAge.workflow, byNumber.workflow] } };
      expect(await database.client.deletedWorkflow.count({ where })).toBe(2);
    });
    await applyAll();
    expect([(await runsOf(byAge)).length, await runsOf(byNumber)]).toEqual([1, [pinned]]);
    expect(await runsOf(existing)).toHaveLength(1);
    await database.client.$executeRaw`
      UPDATE runs.run SET created_at = created_at - interval '3 days', finished_at = finished_at - interval '3 days'
      WHERE vault_id = ${vault}::uuid`;
    await applyAll();
    expect([await runsOf(byAge), (await runsOf(existing)).length]).toEqual([[], 1]);
  });

  it('finds each workflow of a vault once, in pages', async () => {
    const vault = newId();
    const space = newId();
    const places = Array.from({ length: 7 }, (_, at) => newPlace({ vault, ...(at < 4 && { space }) }));
    for (const place of [...places, ...places, newPlace()]) await makeRun(place, {});
    const found: KeptWorkflow[] = [];
    for (let page: KeptWorkflow[] | null = null; page === null || page.length === 3;) {
      page = await findWorkflows(database.client, vault, page?.at(-1) ?? null, 3);
      found.push(...page);
    }
    expect(found.map(({ workflow }) => workflow).toSorted()).toEqual(places.map(({ workflow }) => workflow).toSorted());
  });

  it('deletes a run once if several copies of the service apply it at the same time', async () => {
    const place = newPlace();
    for (let n = 0; n < 40; n++) await makeRun(place, { started: 100 - n });
    await setLimits(place.vault, place.vault, { days: null, runs: 4 });
    let total = 0;
    while ((await runsOf(place)).length > 4) {
      const counts = await Promise.all(
        Array.from({ length: 4 }, () => expire(place, { days: null, runs: 4 }, { limit: 10 })),
      );
      total += counts.reduce((sum, count) => sum + count, 0);
    }
    expect(total).toBe(36);
  });
});

describe('a service that starts', () => {
  it('deletes the runs beyond the limits, and then their rows', async () => {
    const place = newPlace();
    const [old, newest] = [await makeRun(place, { started: 100 }), await makeRun(place, { started: 10 })];
    await setLimits(place.vault, place.vault, { days: null, runs: 1 });
    const copy = await system.start(start);
    await eventually(async () => {
      const rows = await system.database.query<{ id: string }>('SELECT id::text FROM runs.run WHERE id IN ($1, $2)', [
        old,
        newest,
      ]);
      expect(rows).toEqual([{ id: newest }]);
    });
    await copy.close();
  });
});

describe('a run that a user changes at the same moment', () => {
  it.each([
    ['is pinned', 'pinned = true'],
    ['is retried', `status = 'PENDING', finished_at = NULL`],
  ])('stays if it %s', async (_, change) => {
    const place = newPlace();
    const changed = await makeRun(place, { status: 'FAILED', started: 100 });
    const newest = await makeRun(place, { started: 10 });
    await setLimits(place.vault, place.vault, { days: 1, runs: 1 });
    await database.transaction(async (tx) => {
      await tx.$executeRawUnsafe(`UPDATE runs.run SET ${change} WHERE id = ${changed}`);
      // The change is not committed yet, so its row is locked and a reader still sees the old values.
      expect(await expire(place, { days: 1, runs: 1 })).toBe(0);
    });
    expect(await expire(place, { days: 1, runs: 1 })).toBe(0);
    expect(await runsOf(place)).toEqual([changed, newest]);
  });

  it('stays if the limits no longer apply', async () => {
    const place = newPlace();
    for (let n = 0; n < 3; n++) await makeRun(place, { started: 100 });
    await setLimits(place.vault, place.vault, { days: null, runs: null });
    expect(await expire(place, { days: 1, runs: 1 })).toBe(0);
    expect(await runsOf(place)).toHaveLength(3);
  });
});

describe('the limits of a scope', () => {
  it('are the latest ones, in any order of the events', async () => {
    const vault = newId();
    const [first, second] = [++numbers, ++numbers];
    await publish(vault, vault, { days: 5, runs: null }, second);
    await publish(vault, vault, { days: 9, runs: 9 }, first);
    const marker = newId();
    await setLimits(marker, marker, null);
    const rows = await system.database.query('SELECT days, runs FROM runs.retention_policy WHERE vault_id = $1', [
      vault,
    ]);
    expect(rows).toEqual([{ days: 5, runs: null }]);
  });

  it('of deleted workflows are needed until they have no runs, and no run can be starting', async () => {
    const [recent, used, unused] = [newPlace(), newPlace(), newPlace()];
    const all = [recent, used, unused].map(({ workflow }) => workflow);
    await makeRun(used, {});
    await database.client.deletedWorkflow.createMany({ data: all.map((workflowId) => ({ workflowId })) });
    await database.client.$executeRaw`
      UPDATE runs.deleted_workflow SET deleted_at = now() - interval '25 hours' WHERE workflow_id <> ${recent.workflow}::uuid`;
    await applyAll();
    const left = await database.client.deletedWorkflow.findMany({ where: { workflowId: { in: all } } });
    expect(left.map(({ workflowId }) => workflowId).sort()).toEqual([recent.workflow, used.workflow].sort());
  });

  it('are forgotten 30 days after they were removed', async () => {
    const [old, recent] = [newId(), newId()];
    for (const scope of [old, recent]) await setLimits(scope, scope, null);
    await system.database.query(
      `UPDATE runs.retention_policy SET changed_at = now() - interval '31 days' WHERE scope_id = $1`,
      [old],
    );
    await applyAll();
    const rows = await system.database.query('SELECT scope_id FROM runs.retention_policy WHERE scope_id IN ($1, $2)', [
      old,
      recent,
    ]);
    expect(rows).toEqual([{ scope_id: recent }]);
  });
});
