import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { subjobs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { freePort } from '@millrace/testkit/free-port';
import { startOwnSystem } from './support/own-system.js';
import { queryDatabase } from './support/query-database.js';
import { receiveWebhooks } from './support/receive-webhooks.js';
import {
  countRunEffects,
  enableAllNotifications,
  type ObservedSystem,
  type RunEffects,
} from './support/run-effects.js';
import { RunLoad } from './support/run-load.js';
import { makeWorkflow, script, waitForEnd } from './support/run-workflow.js';
import { startSecondCopy, waitUntilReady, type SecondCopy } from './support/second-copies.js';
import { signUp } from './support/sign-up.js';

const SERVICES = ['gateway', 'auth', 'workflows', 'runs', 'worker', 'datasets', 'billing', 'notifications'];
const REQUEST_INTERVAL_MS = 60;
const ONCE: RunEffects = { entries: 2, subjobs: 2, notifications: 1, mails: 1, webhooks: 1 };

let observed: ObservedSystem;
let copies: SecondCopy[];
let workflow: string;
/** The gateway's port; the others follow in the order of `SERVICES`. */
let firstHealthPort: number;
beforeAll(async () => {
  firstHealthPort = await freePort(SERVICES.length);
  const settings = { EGRESS_ALLOW: '127.0.0.1', HEALTH_PORT: String(firstHealthPort), WORKER_DRAIN_SECONDS: '20' };
  const [system, receiver] = await Promise.all([startOwnSystem(settings), receiveWebhooks()]);
  observed = { system, receiver, account: await signUp(system.url) };
  await enableAllNotifications(observed);
  copies = await Promise.all(SERVICES.map((service) => startSecondCopy(system, service)));
  workflow = await makeWorkflow(observed.account, {
    nodes: { 'first-1': script('sleep 0.2; echo first'), 'second-1': script('sleep 0.2; cat in/*/*') },
    edges: [['first-1/file', 'second-1/file/first-1']],
  });
});
afterAll(async () => {
  await Promise.all(copies.map((copy) => copy.stop()));
  await Promise.all([observed.system.stop(), observed.receiver.stop()]);
});

/** Stops the first copy of a service as an orchestrator does. The supervisor of the system starts it again. */
async function restartFirstCopy(service: string): Promise<void> {
  const { system } = observed;
  const former = system.pidOf(service);
  process.kill(former, 'SIGTERM');
  await eventually(() => expect(system.pidOf(service)).not.toBe(former), { withinMs: 90_000 });
  await waitUntilReady(firstHealthPort + SERVICES.indexOf(service));
}

describe('a rolling restart of every service under load, with two copies of each,', () => {
  let load: RunLoad;

  it.each([
    ['second', () => Promise.all(copies.map((copy) => copy.restart()))],
    ['first', () => Promise.all(SERVICES.map(restartFirstCopy))],
  ])('responds to every request while the %s copies are restarted', async (_, restart) => {
    const second = copies.find(({ service }) => service === 'gateway')?.url ?? '';
    const { system, account } = observed;
    const gateways = [system.url, second];
    load ??= new RunLoad({ gateways, access: account.access, workflow, intervalMs: REQUEST_INTERVAL_MS });
    const begun = load.runs.length;
    await restart();
    expect(load.problems).toEqual([]);
    expect(load.runs.length).toBeGreaterThan(begun);
  });

  it('loses no run, repeats no step, and has each effect once', async () => {
    await load.stop();
    const { account, system } = observed;
    const ended = await Promise.all(load.runs.map((run) => waitForEnd(account.client, run)));
    expect(ended.filter(({ status }) => status !== 'COMPLETED')).toEqual([]);
    const repeated = await queryDatabase(
      system.database,
      'SELECT run_id::text, attempt FROM runs.subjob WHERE attempt <> 1',
    );
    expect(repeated).toEqual([]);
    await eventually(async () => {
      const effects = await countRunEffects(observed, load.runs);
      expect(effects).toEqual(load.runs.map(() => ONCE));
    });
    const [last = ''] = load.runs.slice(-1);
    const { results } = await account.client.call(subjobs.listSubjobs, { params: { id: last } });
    expect(results.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  });
});
