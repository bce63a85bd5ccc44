import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Payload } from '@millrace/contracts/kit/event';
import type { runFinished, runStarted } from '@millrace/contracts/runs/runs';
import type { RunStatus } from '@millrace/contracts/runs/statuses';
import { Database } from '@millrace/persistence/database';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs } from '../../testing/seed.js';
import { RunStatusListener } from './run-status.listener.js';

let system: System;
let database: Database;
beforeAll(async () => {
  system = await startApps([start]);
  database = new Database({ url: system.database.url, service: 'workflows', connections: 5 });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

type Started = Payload<typeof runStarted>;
type Finished = Payload<typeof runFinished>;

/** A run and the times at which its events arrive; null if one never does. `ended` is also the second in which the run ended. */
interface RunEvents {
  workflow: number;
  status: RunStatus;
  begun: number | null;
  ended: number | null;
}

const WORKFLOWS = 3;
const place = fc.option(fc.nat(1_000), { freq: 5 });
const runEvents: fc.Arbitrary<RunEvents[]> = fc.array(
  fc.record({
    workflow: fc.nat(WORKFLOWS - 1),
    status: fc.constantFrom<RunStatus>('COMPLETED', 'FAILED', 'STOPPED'),
    begun: place,
    ended: place,
  }),
  { minLength: 1, maxLength: 60 },
);
const batchSizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 10 });

const caller = ownerCaller();
const seedWorkflows = async () => {
  const seed = seedAs(system.callAs, caller);
  const { id: space } = await seed.space();
  const saved = await Promise.all(Array.from({ length: WORKFLOWS }, () => seed.saved(undefined, space)));
  return saved.map(({ id, version }) => ({ id, version: version.id }));
};
type Seeded = Awaited<ReturnType<typeof seedWorkflows>>;

let lastRun = 0;

/** The events of runs as two lists in the order of arrival. Ends in the same second differ in their milliseconds. */
function toEvents(runs: RunEvents[], workflows: Seeded): { started: Started[]; finished: Finished[] } {
  const started: [number, Started][] = [];
  const finished: [number, Finished][] = [];
  for (const [index, { workflow, status, begun, ended }] of runs.entries()) {
    const { id = '', version = '' } = workflows[workflow] ?? {};
    const common = { run: String(++lastRun), vault: caller.vault, workflow: id };
    if (begun !== null) started.push([begun, { ...common, version, startedAt: at(0, 0) }]);
    if (ended === null) continue;
    const names = { name: 'Run', workflowName: 'Workflow', space: randomUUID(), author: caller.user, error: null };
    const end: Finished = {
      ...common,
      ...names,
      creationType: 'MANUAL',
      status,
      durationMs: 1,
      finishedAt: at(ended, index),
    };
    finished.push([ended, end]);
  }
  const inOrder = <E>(list: [number, E][]) => list.sort(([a], [b]) => a - b).map(([, event]) => event);
  return { started: inOrder(started), finished: inOrder(finished).toReversed() };
}

const at = (second: number, ms: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second, ms)).toISOString();

async function handleInBatches<E>(events: E[], sizes: number[], handle: (batch: E[]) => Promise<void>): Promise<void> {
  for (let from = 0, n = 0; from < events.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    await handle(events.slice(from, from + size));
    from += size;
  }
}

/** The expected status of each workflow after all events, in any order. */
const expected = (runs: RunEvents[]) =>
  Array.from({ length: WORKFLOWS }, (_, workflow) => {
    const own = runs.map((run, index) => ({ ...run, index })).filter((run) => run.workflow === workflow);
    const ended = own
      .filter((run) => run.ended !== null)
      .sort((a, b) => (a.ended ?? 0) - (b.ended ?? 0) || a.index - b.index);
    return {
      active: own.filter((run) => run.begun !== null && run.ended === null).length,
      count: own.filter(({ begun }) => begun !== null).length,
      status: ended.at(-1)?.status ?? null,
      open: own.filter((run) => (run.begun === null) !== (run.ended === null)).length,
    };
  });

const shown = async (workflows: Seeded) => {
  const rows = await system.database.query<{ id: string }>(
    `SELECT w.id, w.active_runs AS active, v.run_count AS count, w.last_run_status AS status,
       (SELECT count(*)::int FROM workflows.open_run o WHERE o.workflow_id = w.id) AS open
     FROM workflows.workflow w JOIN workflows.version v ON v.id = w.latest_version_id WHERE w.id = ANY($1)`,
    [workflows.map(({ id }) => id)],
  );
  return workflows.map(({ id }) => {
    const { id: _, ...rest } = rows.find((row) => row.id === id) ?? {};
    return rest;
  });
};

it("workflows have the same run status for any order and batching of their runs' events", async () => {
  const listener = new RunStatusListener();
  await fc.assert(
    fc.asyncProperty(runEvents, batchSizes, batchSizes, batchSizes, async (runs, one, two, three) => {
      const workflows = await seedWorkflows();
      const { started, finished } = toEvents(runs, workflows);
      const half = Math.ceil(started.length / 2);
      const begin = (batch: Started[]) => database.transaction((tx) => listener.countStarted(batch, tx));
      const end = (batch: Finished[]) => database.transaction((tx) => listener.countFinished(batch, tx));
      // Two copies of the service handle the starts.
      await Promise.all([
        handleInBatches(started.slice(0, half), one, begin),
        handleInBatches(started.slice(half), two, begin),
        handleInBatches(finished, three, end),
      ]);
      expect(await shown(workflows)).toEqual(expected(runs));
    }),
    { numRuns: 40 },
  );
});
