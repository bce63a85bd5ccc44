import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { RestrictedError, RESTRICTION_MESSAGES } from '@millrace/contracts/billing/restriction';
import { ApiError, ForbiddenError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { deleteSchedule, listTicks, setSchedule, startTick } from '@millrace/contracts/workflows/schedules';
import {
  deleteWorkflow,
  getWorkflow,
  getWorkflowStatus,
  listWorkflows,
  updateWorkflow,
} from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { fakeRuns, type FakeRuns } from '@millrace/testkit/fake-runs';
import { promoteRetries } from '@millrace/testkit/promote-retries';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf } from '../testing/seed.js';

let system: System;
let runs: FakeRuns;
beforeAll(async () => {
  system = await startApps([start, start]);
  runs = await fakeRuns(system);
});
afterEach(() => {
  runs.onLaunch = () => undefined;
});
afterAll(() => system.close());

type Body = Partial<Request<typeof setSchedule>['body']>;

const HOURLY = { cron: '0 * * * *' };

async function seeded(body: Body = HOURLY) {
  const caller = ownerCaller();
  runs.callers.set(caller.user, caller);
  const { id } = await seedAs(system.callAs, caller).saved();
  const params = { id };
  const set = (more: Body = {}, as: Caller = caller) =>
    system.callAs(as, setSchedule, { params, body: { ...body, ...more } });
  const schedule = await set();
  const read = async () => (await system.callAs(caller, getWorkflow, { params })).schedule_info;
  const ticks = async () => (await system.callAs(caller, listTicks, { params })).results;
  /** Makes the schedule due as if its last tick had been `ago` before now. A second is due only once, so later calls use a smaller `ago`. */
  const makeDue = async (ago = '0 s') => {
    const sql = `UPDATE workflows.schedule SET next_at = date_trunc('second', now()) - $2::interval WHERE workflow_id = $1`;
    await system.database.query(sql, [id, ago]);
    await system.database.query("SELECT pg_notify('schedule_changed', '')");
  };
  const settled = (...statuses: string[]) =>
    eventually(async () => expect((await ticks()).map(({ status }) => status)).toEqual(statuses));
  return { caller, id, params, set, schedule, read, ticks, makeDue, settled };
}

it('workflows can be filtered by the state of their schedule', async () => {
  const { caller, id, set } = await seeded();
  await seedAs(system.callAs, caller).saved();
  const states = async () => {
    const lists = (['any', 'enabled', 'paused', 'refused'] as const).map(async (schedule) => {
      const { results } = await system.callAs(caller, listWorkflows, { query: { schedule } });
      return results.map((workflow) => workflow.id);
    });
    const [any, enabled, paused, refused] = await Promise.all(lists);
    return { any, enabled, paused, refused };
  };
  expect(await states()).toEqual({ any: [id], enabled: [id], paused: [], refused: [] });
  await system.database.query(
    `UPDATE workflows.schedule SET refused_at = now(), refused_reason = 'No credits' WHERE workflow_id = $1`,
    [id],
  );
  expect(await states()).toEqual({ any: [id], enabled: [id], paused: [], refused: [id] });
  await set({ enabled: false });
  expect(await states()).toEqual({ any: [id], enabled: [], paused: [id], refused: [] });
});

describe('a schedule', () => {
  it('is shown in the workflow, its status and in lists', async () => {
    const start_date = '2030-05-05T08:30:00.000Z';
    const body = { cron: '15 9 * * MON', timezone: 'Europe/Berlin', start_date, parallelism: 7 };
    const { caller, params, id, schedule } = await seeded(body);
    expect(schedule).toEqual({ ...body, enabled: true, author: caller.user, next_date: '2030-05-06T07:15:00.000Z' });
    const { results } = await system.callAs(caller, listWorkflows);
    expect(results.find((workflow) => workflow.id === id)?.schedule_info).toEqual(schedule);
    expect((await system.callAs(caller, getWorkflowStatus, { params })).schedule_info).toEqual(schedule);
    const renamed = await system.callAs(caller, updateWorkflow, { params, body: { name: 'Renamed' } });
    expect(renamed.schedule_info).toEqual(schedule);
  });

  it('is replaced as a whole, and belongs to the user who set it last', async () => {
    const { caller, set, params, read } = await seeded({ cron: '0 0 * * *', timezone: 'Asia/Tokyo', parallelism: 3 });
    const other = { ...ownerCaller(), vault: caller.vault };
    const body = { repeat_period: 30, enabled: false };
    const replaced = await system.callAs(other, setSchedule, { params, body });
    expect(replaced).toEqual({ ...body, author: other.user, next_date: null });
    expect(await read()).toEqual(replaced);
    expect((await set()).author).toBe(caller.user);
  });

  it('has each change and its user in the audit log', async () => {
    const { caller, id, params, set } = await seeded();
    await set({ parallelism: 2 });
    await system.callAs(caller, deleteSchedule, { params });
    const rows = await system.database.query(
      `SELECT payload->>'action' AS action, payload->>'user' AS user FROM messaging.outbox
       WHERE name = 'workflows.trigger.changed' AND payload->>'workflow' = $1 ORDER BY id`,
      [id],
    );
    const actions = ['schedule.created', 'schedule.changed', 'schedule.deleted'];
    expect(rows).toEqual(actions.map((action) => ({ action, user: caller.user })));
  });

  it('can be deleted once', async () => {
    const { caller, params, read } = await seeded();
    await system.callAs(caller, deleteSchedule, { params });
    expect(await read()).toBeNull();
    await expect(system.callAs(caller, deleteSchedule, { params })).rejects.toMatchObject({ code: 'not_found' });
    expect(await system.callAs(caller, listTicks, { params })).toEqual({ results: [], count: 0 });
  });

  it('can be set by editors of the workflow only', async () => {
    const { caller, params } = await seeded();
    const { space_info } = await system.callAs(caller, getWorkflow, { params });
    const runner = memberCaller(caller, { [space_info]: 'execute' });
    const put = (as: Caller) => system.callAs(as, setSchedule, { params, body: HOURLY });
    await expect(put(runner)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await system.callAs(runner, listTicks, { params })).toMatchObject({ count: 0 });
    await expect(put(ownerCaller())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused and not stored if it never occurs', async () => {
    const { set, read, schedule } = await seeded();
    const refused = { code: 'validation_error', details: { 'body.cron': expect.stringContaining('must occur') } };
    await expect(set({ cron: '0 0 30 2 *' })).rejects.toMatchObject(refused);
    expect(await read()).toEqual(schedule);
  });
});

describe('a tick of a schedule', () => {
  it('starts one run on behalf of the author, with two copies of the service', async () => {
    const { caller, id, makeDue, settled, read, ticks } = await seeded({ ...HOURLY, parallelism: 5 });
    await makeDue();
    await settled('started');
    const [run, ...others] = runs.runsOf(id);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ caller, creationType: 'SCHEDULED', inputs: {}, parallelism: 5, finished: false });
    const [tick] = await ticks();
    expect(tick).toEqual({ date: expect.any(String), status: 'started', run: run?.run });
    expect(await read()).toMatchObject({ last_tick: tick });
    expect(Date.parse((await read())?.next_date ?? '')).toBeGreaterThan(Date.now());
  });

  it('is skipped while the last run is active, and the next one after it is not', async () => {
    const { id, makeDue, settled, ticks } = await seeded();
    await makeDue('3 s');
    await settled('started');
    await makeDue('2 s');
    await settled('skipped', 'started');
    const run = runs.runsOf(id)[0]?.run ?? '';
    expect((await ticks())[0]?.reason).toContain(`Run ${run}`);
    await runs.finish(run);
    await makeDue('1 s');
    await settled('started', 'skipped', 'started');
    expect(runs.runsOf(id)).toHaveLength(2);
  });

  it('starts a run after an outage if it is the newest; the others are recorded', async () => {
    const { id, makeDue, ticks, settled } = await seeded({ repeat_period: 1 });
    await makeDue('3 minutes 5 seconds');
    await settled('started', 'skipped', 'skipped', 'skipped');
    expect(runs.runsOf(id)).toHaveLength(1);
    expect((await ticks())[1]?.reason).toContain('Missed');
    const after = await seeded({ repeat_period: 1 });
    await after.makeDue('3 days');
    await eventually(async () => expect((await after.ticks())[0]).toMatchObject({ status: 'started' }));
    const all = await after.ticks();
    expect(all).toHaveLength(101);
    expect(all.at(-1)?.reason).toContain('at least');
  });

  it('is refused with the reason if the run cannot be started', async () => {
    const { caller, id, makeDue, ticks, settled } = await seeded();
    const reasons: [ApiError, string][] = [
      [
        new ValidationError({ 'inputs.a': 'needs a value' }, 'The inputs do not match the workflow.'),
        'workflow: inputs.a needs a value',
      ],
      [new ForbiddenError(), 'may no longer run'],
      [new RestrictedError('budget'), RESTRICTION_MESSAGES.budget],
    ];
    for (const [n, [error, reason]] of reasons.entries()) {
      runs.onLaunch = (_, { workflow }) => {
        if (workflow === id) throw error;
      };
      await makeDue(`${9 - n} s`);
      await settled(...Array.from({ length: n + 1 }, () => 'refused'));
      expect((await ticks())[0]?.reason).toContain(reason);
    }
    runs.callers.delete(caller.user);
    await makeDue();
    await settled('refused', 'refused', 'refused', 'refused');
    expect((await ticks())[0]?.reason).toContain('no longer a member');
    expect(runs.runsOf(id)).toEqual([]);
  });

  it('is skipped while the vault is suspended, which refuses nothing that an author could fix', async () => {
    const { id, makeDue, ticks, settled, read } = await seeded();
    runs.onLaunch = (_, { workflow }) => {
      if (workflow === id) throw new RestrictedError('suspended');
    };
    await makeDue();
    await settled('skipped');
    expect((await ticks())[0]?.reason).toBe(RESTRICTION_MESSAGES.suspended);
    const schedule = await read();
    expect([schedule?.enabled, schedule?.last_refusal ?? null]).toEqual([true, null]);
    expect(runs.runsOf(id)).toEqual([]);
  });

  it('starts no run if the schedule was disabled or deleted in the meantime', async () => {
    const { caller, id, set, settled } = await seeded();
    await pendingTick(id);
    await set({ enabled: false });
    await system.database.query(`UPDATE workflows.schedule_tick SET created_at = now() - interval '1 minute'`);
    await eventually(() => settled('skipped'));
    await system.callAs(caller, deleteWorkflow, { params: { id } });
    expect(runs.runsOf(id)).toEqual([]);
  });
});

it('ticks older than 90 days are deleted', async () => {
  const { id, ticks } = await seeded();
  await pendingTick(id);
  const age = (days: number) =>
    system.database.query(
      `UPDATE workflows.schedule_tick t SET status = 'skipped', created_at = now() - $2::int * interval '1 day'
        FROM workflows.schedule s WHERE s.id = t.schedule_id AND s.workflow_id = $1`,
      [id, days],
    );
  await age(89);
  const first = await system.start(start);
  await sleep(6_000);
  expect(await ticks()).toHaveLength(1);
  await age(91);
  await first.close();
  await system.start(start);
  await eventually(async () => expect(await ticks()).toEqual([]));
});

/** As after a crash: claimed and not started. */
const pendingTick = (workflow: string) =>
  system.database.query(
    `INSERT INTO workflows.schedule_tick (id, schedule_id, due_at, status)
      SELECT gen_random_uuid(), id, '2026-01-01', 'pending' FROM workflows.schedule WHERE workflow_id = $1`,
    [workflow],
  );

it('a tick starts the version and inputs of its due time, however late its run starts', async () => {
  const { caller, id, makeDue, set, settled } = await seeded({ ...HOURLY, parallelism: 5 });
  const latest = () => system.callAs(caller, getWorkflow, { params: { id } });
  const { latest_version_info: version } = await latest();
  let calls = 0;
  runs.onLaunch = (moment, { workflow }) => {
    if (workflow === id && moment === 'request' && ++calls === 1) throw new ApiError('internal_error', 'Not there');
  };
  await makeDue('2 s');
  await eventually(() => expect(calls).toBe(1));
  await seedAs(system.callAs, caller).version(id, chainOf(2));
  const other = { ...ownerCaller(), vault: caller.vault };
  runs.callers.set(other.user, other);
  await set({ parallelism: 9 }, other);
  await settled('started');
  expect(runs.runsOf(id)).toMatchObject([{ version, parallelism: 5, caller: { user: caller.user } }]);
  await runs.finish(runs.runsOf(id)[0]?.run ?? '');
  await makeDue();
  await settled('started', 'started');
  const next = { version: (await latest()).latest_version_info, parallelism: 9, caller: { user: other.user } };
  expect(runs.runsOf(id)[1]).toMatchObject(next);
  expect(next.version).not.toBe(version);
});

describe('one run is started for each tick', () => {
  it('even if the response to its start is lost', async () => {
    const { id, makeDue, settled } = await seeded();
    let lost = 0;
    runs.onLaunch = (moment, { workflow }) => {
      if (workflow === id && moment === 'response' && ++lost <= 2)
        throw new ApiError('internal_error', 'The answer is lost');
    };
    await makeDue();
    await eventually(() => expect(lost).toBe(1));
    for (const n of [2, 3]) {
      await eventually(async () =>
        expect((await promoteRetries(startTick, String(system.env['REDIS_URL']))) + lost).toBeGreaterThanOrEqual(n),
      );
      await eventually(() => expect(lost).toBeGreaterThanOrEqual(n));
    }
    await settled('started');
    expect(runs.runsOf(id)).toHaveLength(1);
  });

  it('even if Redis loses its data', async () => {
    const { id, settled } = await seeded();
    const redis = new Redis(String(system.env['REDIS_URL']));
    await redis.flushdb();
    redis.disconnect();
    await pendingTick(id);
    await system.database.query(`UPDATE workflows.schedule_tick SET created_at = now() - interval '1 minute'`);
    await eventually(() => settled('started'));
    expect(runs.runsOf(id)).toHaveLength(1);
  });

  it('even if the transaction that claims it fails', async () => {
    const { id, makeDue, settled } = await seeded();
    await system.database.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER failing BEFORE INSERT ON workflows.schedule_tick FOR EACH ROW EXECUTE FUNCTION fail();`);
    await makeDue();
    await sleep(300);
    await system.database.query('DROP FUNCTION fail CASCADE');
    await settled('started');
    expect(runs.runsOf(id)).toHaveLength(1);
  });

  it('even while the schedule is set concurrently and copies of the service start and stop', async () => {
    const schedules = await Promise.all(Array.from({ length: 8 }, () => seeded({ repeat_period: 1 })));
    for (let round = 1; round <= 4; round++) {
      const copy = system.start(start);
      await Promise.all(
        schedules.map(async ({ id, makeDue, set }) => {
          await makeDue();
          await set();
          for (const { run, finished } of runs.runsOf(id)) if (!finished) await runs.finish(run);
        }),
      );
      await (await copy).close();
      await sleep(1_000);
    }
    for (const { id, ticks } of schedules) {
      await eventually(async () => expect((await ticks()).some(({ status }) => status === 'pending')).toBe(false));
      const all = await ticks();
      expect(new Set(all.map(({ date }) => date)).size).toBe(all.length);
      const started = all.filter(({ status }) => status === 'started').map(({ run }) => run);
      expect(started.sort()).toEqual(
        runs
          .runsOf(id)
          .map(({ run }) => run)
          .sort(),
      );
      expect(started.length).toBeGreaterThan(0);
    }
  });
});

describe('a schedule with a period of 0', () => {
  it('is due at once, and again after its run has ended in any way', async () => {
    const { id, read, settled, set } = await seeded({ repeat_period: 0 });
    await settled('started');
    expect((await read())?.next_date).toBeNull();
    await runs.finish(runs.runsOf(id)[0]?.run ?? '', 'STOPPED');
    await settled('started', 'started');
    await runs.finish(runs.runsOf(id)[1]?.run ?? '', 'FAILED');
    await settled('started', 'started', 'started');
    const [first, second] = (await system.database.query<{ due_at: Date }>(
      `SELECT due_at FROM workflows.schedule_tick t JOIN workflows.schedule s ON s.id = t.schedule_id
        WHERE workflow_id = $1 ORDER BY due_at`,
      [id],
    )) as [{ due_at: Date }, { due_at: Date }];
    expect(second.due_at.getTime() - first.due_at.getTime()).toBeGreaterThanOrEqual(1_000);
    await set({ enabled: false });
    await runs.finish(runs.runsOf(id)[2]?.run ?? '');
    expect((await read())?.next_date).toBeNull();
  });

  it.each<['refused' | 'skipped', string, ApiError]>([
    ['refused', 'no run can be started', new ValidationError({}, 'It cannot run')],
    ['skipped', 'the vault is suspended', new RestrictedError('suspended')],
  ])('is %s and tries again after a minute if %s', async (status, _, error) => {
    runs.onLaunch = () => {
      throw error;
    };
    const { read, settled } = await seeded({ repeat_period: 0 });
    await settled(status);
    const ahead = Date.parse((await read())?.next_date ?? '') - Date.now();
    expect(ahead).toBeGreaterThan(40_000);
    expect(ahead).toBeLessThanOrEqual(60_000);
  });
});
