import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { billing, runs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { expectBilled } from './support/expect-billed.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

const CHILDREN = 150;
const RUNS = 3;
const KILLS = 5;

let system: OwnSystem;
let account: Account;
beforeAll(async () => {
  system = await startOwnSystem({}, { separate: ['billing'] });
  account = await signUp(system.url);
});
afterAll(() => system.stop());

it('billing records each attempt of a subjob once, even if it is killed, and its totals equal the sums over the runs', async () => {
  const { client } = account;
  const workflow = await makeWorkflow(account, {
    nodes: {
      'source-1': script(`seq ${CHILDREN}`),
      'each-1': {
        type: 'TOOL',
        container: { command: ['/bin/sh', '-c', 'sleep 0.02; [ "$0" != 7 ]'] },
        retries: 1,
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
      },
    },
    edges: [['source-1/file', 'each-1/item']],
  });
  const started = await Promise.all(
    Array.from({ length: RUNS }, () => client.call(runs.createRun, { params: { id: workflow }, body: {} })),
  );
  for (let kills = 0; kills < KILLS; kills++) {
    const victim = system.pidOf('billing');
    process.kill(victim, 'SIGKILL');
    await eventually(() => expect(system.pidOf('billing')).not.toBe(victim));
    // Each kill happens at a different moment of its start or its work.
    await sleep(100 + 300 * kills);
  }
  const ended = await Promise.all(started.map(({ id }) => waitForEnd(client, id)));
  await expectBilled(system.database);
  // The source, all children, and a second attempt at the one that fails.
  const attempts = RUNS * (CHILDREN + 2);
  const [ledger] = await queryDatabase<{ entries: number }>(
    system.database,
    'SELECT count(*)::int AS entries FROM billing.usage_entry',
  );
  expect(ledger).toEqual({ entries: attempts });
  const units = ended.reduce((sum, run) => sum + run.execution_units, 0);
  expect((await client.call(billing.getCustomer)).execution_units).toBe(units);
});
