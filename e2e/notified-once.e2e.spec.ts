import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { chooseCases } from './support/choose-cases.js';
import { startOwnSystem } from './support/own-system.js';
import { receiveWebhooks } from './support/receive-webhooks.js';
import {
  countRunEffects,
  enableAllNotifications,
  type RunEffects,
  type ObservedSystem,
} from './support/run-effects.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { signUp } from './support/sign-up.js';

const RUNS = 40;
/** The process is killed when more than this many runs have a notification, so that the others are in every queue. */
const PROGRESS = 8;
const PROCESSES = chooseCases(['notifications', 'billing', 'runs', 'auth', 'nats', 'redis', 'postgres'], 3);
const ONCE: RunEffects = { entries: 1, subjobs: 1, notifications: 1, mails: 1, webhooks: 1 };

let observed: ObservedSystem;
/** Two workflows. Runs of the second one fail. */
let workflows: string[];

beforeAll(async () => {
  const [system, receiver] = await Promise.all([startOwnSystem({ EGRESS_ALLOW: '127.0.0.1' }), receiveWebhooks()]);
  observed = { system, receiver, account: await signUp(system.url) };
  await enableAllNotifications(observed);
  const sources = ['echo done', 'exit 3'];
  workflows = await Promise.all(
    sources.map((source) => makeWorkflow(observed.account, { nodes: { 'only-1': script(source) } })),
  );
});

afterAll(() => Promise.all([observed.system.stop(), observed.receiver.stop()]));

async function startRuns(): Promise<string[]> {
  const { client } = observed.account;
  const start = (_: unknown, at: number) =>
    client.call(runs.createRun, { params: { id: workflows[at % workflows.length] ?? '' }, body: {} });
  return (await Promise.all(Array.from({ length: RUNS }, start))).map(({ id }) => id);
}

const isNotified = ({ notifications }: RunEffects): boolean => notifications > 0;

/** The runs that were started for each process and were under way when it was killed. */
const idsOf = new Map<string, string[]>();

// A message that was dispatched to the killed process is dispatched again after 30 s. The second block waits for all.
describe.each(PROCESSES)(`of ${RUNS} runs in progress while %s is killed,`, (name) => {
  it('each run ends', async () => {
    const { system, account } = observed;
    await eventually(async () => expect(await system.isReady()).toBe(true));
    const ids = await startRuns();
    idsOf.set(name, ids);
    await eventually(async () =>
      expect((await countRunEffects(observed, ids)).filter(isNotified).length).toBeGreaterThan(PROGRESS),
    );
    process.kill(system.pidOf(name), 'SIGKILL');
    for (const id of ids) await waitForEnd(account.client, id);
  });
});

describe.each(PROCESSES)(`of ${RUNS} runs in progress while %s is killed,`, (name) => {
  it('each run is notified and billed once', async () => {
    const ids = idsOf.get(name) ?? [];
    expect(ids).toHaveLength(RUNS);
    const each = ids.map(() => ONCE);
    await eventually(async () => expect(await countRunEffects(observed, ids)).toEqual(each));
    // Time for duplicates to arrive.
    await sleep(500);
    expect(await countRunEffects(observed, ids)).toEqual(each);
  });
});
