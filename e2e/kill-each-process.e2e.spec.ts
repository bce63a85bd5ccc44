import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notifications, runs } from '@millrace/sdk/resources';
import { startOwnSystem, type OwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { listOutputs, makeWorkflow, readFilePort, script, waitForEnd } from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

const CHILDREN = 400;
/** Children that must have succeeded when the process is killed: the run is well under way and far from its end. */
const UNDER_WAY = 60;
const PROCESSES = [
  'postgres',
  'redis',
  'nats',
  'gateway',
  'auth',
  'workflows',
  'runs',
  'worker',
  'datasets',
  'billing',
  'notifications',
];

let system: OwnSystem;
let account: Account;
let workflow: string;

beforeAll(async () => {
  system = await startOwnSystem();
  account = await signUp(system.url);
  workflow = await makeWorkflow(account, {
    nodes: {
      'source-1': script(`seq ${CHILDREN}`),
      'each-1': {
        type: 'TOOL',
        container: { command: ['/bin/sh', '-c', 'sleep 0.01; echo "did $0"'] },
        output_command: '>',
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
      },
      'gather-1': script(`for i in $(seq ${CHILDREN}); do cat "in/each-1/$i/output.txt"; done`),
    },
    edges: [
      ['source-1/file', 'each-1/item'],
      ['each-1/folder', 'gather-1/folder'],
    ],
  });
}, 120_000);

afterAll(() => system.stop(), 60_000);

async function waitUntil(what: string, check: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await check().catch(() => false)); await sleep(50)) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
  }
}

async function usageOf(run: string): Promise<{ entries: number; subjobs: number }> {
  const rows = await queryDatabase<{ entries: number; subjobs: number }>(
    system.database,
    'SELECT count(*)::int AS entries, count(DISTINCT subjob)::int AS subjobs FROM billing.usage_entry WHERE run = $1',
    [run],
  );
  return rows[0] ?? { entries: 0, subjobs: 0 };
}

async function notificationsOf(run: string): Promise<number> {
  const { results } = await account.client.call(notifications.listNotifications);
  return results.filter(({ metadata }) => Object.values(metadata).includes(run)).length;
}

/** A subjob for each child, and those of the two nodes that are not split; a group and its split cost nothing. */
const USED = CHILDREN + 2;

describe('a run of 400 children outlives the death of', () => {
  it.each(PROCESSES)(
    '%s',
    async (name) => {
      const { client } = account;
      await waitUntil('the system is ready', () => system.isReady(), 30_000);
      const { id } = await client.call(runs.createRun, { params: { id: workflow }, body: {} });
      const succeeded = async () => {
        const { run_insights: insights } = await client.call(runs.getRun, { params: { id } });
        return insights.succeeded >= UNDER_WAY;
      };
      await waitUntil('the run is under way', succeeded, 20_000);
      const victim = system.pidOf(name);
      process.kill(victim, 'SIGKILL');

      const run = await waitForEnd(client, id, 60_000);
      expect({ status: run.status, error: run.error, partial: run.partial }).toMatchObject({
        status: 'COMPLETED',
        partial: false,
      });
      const lines = Array.from({ length: CHILDREN }, (_, index) => `did ${index + 1}\n`);
      await waitUntil('the gateway answers', () => system.isReady(), 30_000);
      expect(await readFilePort(client, id, 'gather-1')).toBe(lines.join(''));
      const outputs = await listOutputs(client, id, 'each-1');
      const indexes = outputs.map((output) => output.task_index ?? 0).sort((a, b) => a - b);
      expect(indexes).toEqual(lines.map((_, index) => index + 1));

      const isTold = async () => (await usageOf(id)).subjobs >= USED && (await notificationsOf(id)) >= 1;
      await waitUntil('usage and notification are there', isTold, 40_000).catch(() => undefined);
      await sleep(500);
      expect(await usageOf(id)).toEqual({ entries: USED, subjobs: USED });
      expect(await notificationsOf(id)).toBe(1);
      expect(system.pidOf(name)).not.toBe(victim);
    },
    120_000,
  );
});
