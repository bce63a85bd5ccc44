import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { runs } from '@millrace/contracts/resources';
import { callApi } from './support/call-api.js';
import { chooseCases } from './support/choose-cases.js';
import { distributedWorkflow } from './support/distributed-workflow.js';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { receiveWebhooks, type Receiver } from './support/receive-webhooks.js';
import {
  countRunEffects,
  sumUsage,
  enableAllNotifications,
  type RunEffects,
  type ObservedSystem,
} from './support/run-effects.js';
import { listOutputs, makeWorkflow, readFilePort, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

const CHILDREN = 400;
/** The process is killed when this many children have succeeded, so the run is in progress and far from its end. */
const PROGRESS = 60;
const PROCESSES = ['postgres', 'redis', 'nats', ...SERVICES];

let system: OwnSystem;
let receiver: Receiver;
let account: Account;
let observed: ObservedSystem;
let workflow: string;

beforeAll(async () => {
  [system, receiver] = await Promise.all([startOwnSystem({ EGRESS_ALLOW: '127.0.0.1' }), receiveWebhooks()]);
  account = await signUp(system.url);
  observed = { system, account, receiver };
  await enableAllNotifications(observed);
  workflow = await makeWorkflow(account, distributedWorkflow(CHILDREN, 0.01));
});

afterAll(() => Promise.all([system.stop(), receiver.stop()]));

async function waitUntil(condition: string, check: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await check().catch(() => false)); await sleep(50)) {
    if (Date.now() > deadline) throw new Error(`${condition}: not within ${timeoutMs} ms`);
  }
}

/** A subjob for each child, and for each of the two nodes without a split. A group and its split cost nothing. */
const SUBJOBS = CHILDREN + 2;
const ONCE: RunEffects = { entries: SUBJOBS, subjobs: SUBJOBS, notifications: 1, mails: 1, webhooks: 1 };

async function isNotified(run: string): Promise<boolean> {
  const [effects] = await countRunEffects(observed, [run]);
  return Object.entries(ONCE).every(([effect, times]) => (effects?.[effect as keyof RunEffects] ?? 0) >= times);
}

/** A worker that gets SIGTERM loses nothing, so nothing runs twice. */
const ENDS = [...PROCESSES.map((name) => [name, 'SIGKILL'] as const), ['worker', 'SIGTERM'] as const];

async function countLost(run: string): Promise<number> {
  const client = new Client({ connectionString: system.database });
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT 1 FROM runs.attempt WHERE run_id = $1 AND status = 'LOST'`, [run]);
    return rows.length;
  } finally {
    await client.end();
  }
}

describe('a run of 400 children completes even if a process ends:', () => {
  it.each(chooseCases(ENDS, 5))('%s by %s', async (name, signal) => {
    const { client } = account;
    await waitUntil('the system is ready', () => system.isReady(), 30_000);
    const { id } = await client.call(runs.createRun, { params: { id: workflow }, body: {} });
    const succeeded = async () => {
      const { run_insights: insights } = await client.call(runs.getRun, { params: { id } });
      return insights.succeeded >= PROGRESS;
    };
    await waitUntil('the run is under way', succeeded, 20_000);
    const victim = system.pidOf(name);
    process.kill(victim, signal);

    const run = await waitForEnd(client, id);
    expect({ status: run.status, error: run.error, partial: run.partial }).toMatchObject({
      status: 'COMPLETED',
      partial: false,
    });
    const lines = Array.from({ length: CHILDREN }, (_, index) => `did ${index + 1}\n`);
    await waitUntil('the gateway responds', () => system.isReady(), 30_000);
    expect(await readFilePort(client, id, 'gather-1')).toBe(lines.join(''));
    const outputs = await listOutputs(client, id, 'each-1');
    const indexes = outputs.map((output) => output.task_index ?? 0).sort((a, b) => a - b);
    expect(indexes).toEqual(lines.map((_, index) => index + 1));

    await waitUntil('the run has every notification', () => isNotified(id), 60_000).catch(() => undefined);
    // Time for duplicates to arrive.
    await sleep(500);
    expect(await countRunEffects(observed, [id])).toEqual([ONCE]);
    const { execution_units } = await callApi(account, `GET /runs/${id}`);
    expect((await sumUsage(system, [id])).get(id)).toMatchObject({ units: execution_units });
    expect(system.pidOf(name)).not.toBe(victim);
    if (signal === 'SIGTERM') expect(await countLost(id)).toBe(0);
  });
});
