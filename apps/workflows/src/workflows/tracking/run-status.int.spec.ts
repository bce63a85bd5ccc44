import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { runFinished, runStarted } from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import { getVersion } from '@millrace/contracts/workflows/versions';
import { deleteWorkflow, getWorkflow } from '@millrace/contracts/workflows/workflows';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs } from '../../testing/seed.js';

let system: System;
let runs: EventSource;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await system.sourceOf('runs');
});
afterAll(() => system.close());

let lastRun = 0;

const seeded = async (caller: Caller = ownerCaller()) => {
  const { id, version } = await seedAs(system.callAs, caller).saved();
  const { space_info: space, modified_date } = await system.callAs(caller, getWorkflow, { params: { id } });
  const nextRun = () => String(++lastRun);
  const emitStart = (run: string, place: { space?: string; project?: string | null }) =>
    runs.emit(runStarted, { run, vault: caller.vault, workflow: id, version: version.id, startedAt: at(0), ...place });
  const begin = (run: string) => emitStart(run, {});
  const end = (run: string, status: RunStatus, second = 1) =>
    runs.emit(runFinished, {
      ...{ run, name: 'Run', vault: caller.vault, space, workflow: id, workflowName: 'Workflow', error: null },
      ...{ author: caller.user, creationType: 'MANUAL', status, durationMs: 1, finishedAt: at(second) },
    });
  const shows = (expected: object) =>
    eventually(async () =>
      expect(await system.callAs(caller, getWorkflow, { params: { id } })).toMatchObject(expected),
    );
  const runCount = async () =>
    (await system.callAs(caller, getVersion, { params: { id, versionId: version.id } })).run_count;
  return { caller, id, space, modified_date, nextRun, begin, emitStart, end, shows, runCount };
};

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const idle = { executing: false, status: 'IDLE' };
const running = { executing: true, status: 'RUNNING' };

/** Waits until the service has handled this many events of both kinds. */
const waitForEvents = (events: number) =>
  eventually(async () => {
    const rows = await system.database.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM messaging.inbox WHERE consumer LIKE 'workflows_runs%'",
    );
    expect(rows[0]?.n).toBe(events);
  });

const countEvents = async () => {
  const rows = await system.database.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM messaging.inbox WHERE consumer LIKE 'workflows_runs%'",
  );
  return rows[0]?.n ?? 0;
};

const openRuns = () => system.database.query('SELECT run, finished FROM workflows.open_run');

describe('the end of a run', () => {
  it('deletes the values of variables that were stored for it', async () => {
    const { caller, nextRun, begin, end, shows } = await seeded();
    const [ended, other] = [nextRun(), nextRun()];
    for (const run of [ended, other])
      await system.database.query('INSERT INTO workflows.run_variables (run, vault_id, values) VALUES ($1, $2, $3)', [
        ...[run, caller.vault, Buffer.from('x')],
      ]);
    await begin(ended);
    await shows(running);
    await end(ended, 'STOPPED');
    await eventually(async () => {
      expect(await system.database.query('SELECT run FROM workflows.run_variables')).toEqual([{ run: other }]);
    });
  });
});

describe('a workflow', () => {
  it('is executing from the start of a run to its end, and then shows its status', async () => {
    const { nextRun, begin, end, shows, runCount, modified_date } = await seeded();
    const run = nextRun();
    await begin(run);
    await shows(running);
    expect(await runCount()).toBe(1);
    await end(run, 'COMPLETED');
    await shows({ ...idle, last_execution_status: 'COMPLETED', modified_date });
    expect(await openRuns()).toEqual([]);
  });

  it('publishes its place again for runs that started with another place', async () => {
    const { caller, id, space, nextRun, emitStart, end } = await seeded();
    const publishedMoves = () =>
      system.database.query<{ payload: object }>(
        `SELECT payload FROM messaging.outbox WHERE name = 'workflows.workflow.moved' AND payload->>'workflow' = $1`,
        [id],
      );
    const before = await countEvents();
    const [stayed, unplaced, moved, regrouped] = [nextRun(), nextRun(), nextRun(), nextRun()];
    await emitStart(stayed, { space, project: null });
    await emitStart(unplaced, {});
    await waitForEvents(before + 2);
    expect(await publishedMoves()).toEqual([]);
    await emitStart(moved, { space: randomUUID(), project: null });
    await waitForEvents(before + 3);
    const place = { vault: caller.vault, workflow: id, space, spaceName: 'Space', project: null, projectName: null };
    expect(await publishedMoves()).toEqual([{ payload: place }]);
    await emitStart(regrouped, { space, project: randomUUID() });
    await waitForEvents(before + 4);
    expect(await publishedMoves()).toEqual([{ payload: place }, { payload: place }]);
    for (const run of [stayed, unplaced, moved, regrouped]) await end(run, 'COMPLETED');
    await waitForEvents(before + 8);
  });

  it('is executing until the last of its runs has ended', async () => {
    const { nextRun, begin, end, shows, runCount } = await seeded();
    const [one, two] = [nextRun(), nextRun()];
    await begin(one);
    await begin(two);
    await eventually(async () => expect(await runCount()).toBe(2));
    await end(two, 'FAILED', 5);
    await shows({ ...running, last_execution_status: 'FAILED' });
    await end(one, 'COMPLETED', 9);
    await shows({ ...idle, last_execution_status: 'COMPLETED' });
  });

  it('counts correctly if the end of a run arrives before its start', async () => {
    const { nextRun, begin, end, shows, runCount } = await seeded();
    const [late, other] = [nextRun(), nextRun()];
    await end(late, 'STOPPED');
    await shows({ ...idle, last_execution_status: 'STOPPED' });
    await begin(other);
    await shows(running);
    await begin(late);
    await eventually(async () => expect(await runCount()).toBe(2));
    await shows(running);
    await end(other, 'COMPLETED', 2);
    await shows({ ...idle, last_execution_status: 'COMPLETED' });
    expect(await openRuns()).toEqual([]);
  });

  it('shows the run that ended last, not the one whose event arrived last', async () => {
    const { nextRun, end, shows } = await seeded();
    const before = await countEvents();
    await end(nextRun(), 'COMPLETED', 9);
    await shows({ last_execution_status: 'COMPLETED' });
    await end(nextRun(), 'FAILED', 3);
    await waitForEvents(before + 2);
    await shows({ ...idle, last_execution_status: 'COMPLETED' });
  });

  it('has the right counts after many runs start and end in any order', async () => {
    const { nextRun, begin, end, shows, runCount } = await seeded();
    const before = await countEvents();
    const ids = Array.from({ length: 40 }, nextRun);
    await Promise.all(ids.map((run, index) => (index % 2 ? begin(run) : end(run, 'COMPLETED', index))));
    await Promise.all(ids.map((run, index) => (index % 2 ? end(run, 'COMPLETED', index) : begin(run))));
    await waitForEvents(before + 80);
    await shows(idle);
    expect(await runCount()).toBe(40);
  });
});

describe('events of unknown workflows', () => {
  it('are handled and change nothing', async () => {
    const { caller, id, nextRun, begin, end, shows } = await seeded();
    const before = await countEvents();
    const deleted = await seeded(caller);
    await deleted.begin(nextRun());
    await waitForEvents(before + 1);
    await system.callAs(caller, deleteWorkflow, { params: { id: deleted.id } });
    await deleted.end(String(lastRun), 'COMPLETED');
    const foreign = { run: nextRun(), vault: randomUUID(), workflow: id, version: randomUUID(), startedAt: at(0) };
    await runs.emit(runStarted, foreign);
    await waitForEvents(before + 3);
    await shows(idle);
    const run = nextRun();
    await begin(run);
    await end(run, 'COMPLETED');
    await shows({ ...idle, last_execution_status: 'COMPLETED' });
  });
});

describe('the end of a run that never started', () => {
  it('is deleted after a week', async () => {
    const { nextRun, end, shows } = await seeded();
    await end(nextRun(), 'STOPPED', 1);
    await shows({ last_execution_status: 'STOPPED' });
    await system.database.query("UPDATE workflows.open_run SET heard_at = now() - interval '8 days'");
    const last = nextRun();
    await end(last, 'FAILED', 2);
    await shows({ ...idle, last_execution_status: 'FAILED' });
    expect(await openRuns()).toContainEqual({ run: last, finished: true });
    expect(await openRuns()).not.toContainEqual({ run: String(Number(last) - 1), finished: true });
  });
});
