import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { schedules } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { chooseCases } from './support/choose-cases.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { makeWorkflow, script } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

const SCHEDULES = 6;
const PERIOD_MS = 10_000;
/** The processes that a tick passes through, from its time to its run. */
const VICTIMS = chooseCases(['workflows', 'runs', 'redis', 'auth', 'nats', 'workflows', 'postgres', 'runs'], 4);

let system: OwnSystem;
let account: Account;
beforeAll(async () => {
  system = await startOwnSystem({}, { separate: ['workflows', 'runs', 'auth'] });
  account = await signUp(system.url);
});
afterAll(() => system.stop());

interface Tick {
  schedule: string;
  due: Date;
  status: string;
  run: string | null;
}

const readTicks = () =>
  queryDatabase<Tick>(
    system.database,
    'SELECT schedule_id AS schedule, due_at AS due, status, run FROM workflows.schedule_tick ORDER BY due_at',
  );

it('every time of a schedule has one tick, and every started tick has one run, even if processes are killed', async () => {
  for (let n = 0; n < SCHEDULES; n++) {
    const id = await makeWorkflow(account, { nodes: { 'only-1': script('true') } });
    await account.client.call(schedules.setSchedule, { params: { id }, body: { cron: '*/10 * * * * *' } });
  }
  for (const victim of VICTIMS) {
    // Each process is killed shortly before or after a tick, at a different offset each time.
    await sleep(PERIOD_MS - ((Date.now() + 1_000) % PERIOD_MS) + 800 + Math.random() * 500);
    process.kill(system.pidOf(victim), 'SIGKILL');
  }
  await eventually(async () => expect(await system.isReady()).toBe(true));
  const expectSettled = async () => {
    const found = await readTicks();
    const last = Math.max(...found.map(({ due }) => due.getTime()));
    expect(Date.now() - last).toBeLessThan(5_000);
    expect(found.filter(({ status }) => status === 'pending')).toEqual([]);
  };
  await eventually(expectSettled);
  const ticks = await readTicks();
  const bySchedule = Map.groupBy(ticks, ({ schedule }) => schedule);
  expect(bySchedule.size).toBe(SCHEDULES);
  for (const own of bySchedule.values()) {
    const first = own[0]?.due.getTime() ?? 0;
    expect(own.map(({ due }) => due.getTime() - first)).toEqual(own.map((_, n) => n * PERIOD_MS));
  }
  const runs = await queryDatabase<{ id: string; origin: string }>(
    system.database,
    'SELECT id::text, origin FROM runs.run WHERE origin IS NOT NULL',
  );
  const started = ticks.filter(({ status }) => status === 'started');
  expect(started.map(({ run }) => run).sort()).toEqual(runs.map(({ id }) => id).sort());
  expect(started.length).toBeGreaterThan(SCHEDULES);
});
