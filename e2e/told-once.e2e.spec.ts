import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runs } from '@millrace/sdk/resources';
import { eventually } from '@millrace/testkit/eventually';
import { countTraces, tellEverywhere, type Traces, type Witness } from './support/count-traces.js';
import { startOwnSystem } from './support/own-system.js';
import { receiveWebhooks } from './support/receive-webhooks.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { signUp } from './support/sign-up.js';

const RUNS = 40;
/** Runs that must have been told of when the process is killed: others are on their way through every queue. */
const UNDER_WAY = 8;
const PROCESSES = ['notifications', 'billing', 'runs', 'auth', 'nats', 'redis', 'postgres'];
const ONCE: Traces = { entries: 1, subjobs: 1, notifications: 1, mails: 1, webhooks: 1 };

let witness: Witness;
/** Of which every other one fails. */
let workflows: string[];

beforeAll(async () => {
  const [system, receiver] = await Promise.all([startOwnSystem({ EGRESS_ALLOW: '127.0.0.1' }), receiveWebhooks()]);
  witness = { system, receiver, account: await signUp(system.url) };
  await tellEverywhere(witness);
  const sources = ['echo done', 'exit 3'];
  workflows = await Promise.all(
    sources.map((source) => makeWorkflow(witness.account, { nodes: { 'only-1': script(source) } })),
  );
});

afterAll(() => Promise.all([witness.system.stop(), witness.receiver.stop()]));

async function startRuns(): Promise<string[]> {
  const { client } = witness.account;
  const start = (_: unknown, at: number) =>
    client.call(runs.createRun, { params: { id: workflows[at % workflows.length] ?? '' }, body: {} });
  return (await Promise.all(Array.from({ length: RUNS }, start))).map(({ id }) => id);
}

const isTold = ({ notifications }: Traces): boolean => notifications > 0;

/** Started for each process, and under way when it died. */
const idsOf = new Map<string, string[]>();

// What waits to be handed out again does so for half a minute: that of all is waited for together, at the end.
describe.each(PROCESSES)(`of ${RUNS} runs, under way when %s died,`, (name) => {
  it('each ends', async () => {
    const { system, account } = witness;
    await eventually(async () => expect(await system.isReady()).toBe(true));
    const ids = await startRuns();
    idsOf.set(name, ids);
    await eventually(async () =>
      expect((await countTraces(witness, ids)).filter(isTold).length).toBeGreaterThan(UNDER_WAY),
    );
    process.kill(system.pidOf(name), 'SIGKILL');
    for (const id of ids) await waitForEnd(account.client, id);
  });
});

describe.each(PROCESSES)(`of ${RUNS} runs, under way when %s died,`, (name) => {
  it('each is told and billed once', async () => {
    const ids = idsOf.get(name) ?? [];
    expect(ids).toHaveLength(RUNS);
    const each = ids.map(() => ONCE);
    await eventually(async () => expect(await countTraces(witness, ids)).toEqual(each));
    // Time for what would come twice.
    await sleep(500);
    expect(await countTraces(witness, ids)).toEqual(each);
  });
});
