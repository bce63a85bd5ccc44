import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SERVICES } from '@millrace/contracts/kit/service-name';
import { notifications, runs } from '@millrace/contracts/resources';
import { Broker } from '@millrace/messaging/broker/broker';
import { eventually } from '@millrace/testkit/eventually';
import { brokerOptions, startOwnSystem, type OwnSystem } from './support/own-system.js';
import { listOutputs, makeWorkflow, readFilePort, script, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

const CHILDREN = 60;
const FULL_MS = 10_000;

let system: OwnSystem;
let account: Account;
let workflow: string;

beforeAll(async () => {
  system = await startOwnSystem({}, { disks: { data: { size: '500m' } } });
  account = await signUp(system.url);
  workflow = await makeWorkflow(account, {
    nodes: {
      'source-1': script(`seq ${CHILDREN}`),
      'each-1': {
        type: 'TOOL',
        container: { command: ['/bin/sh', '-c', 'sleep 0.3; head -c 20000 /dev/zero | tr "\\\\0" x && echo "did $0"'] },
        output_command: '>',
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
      },
      'gather-1': script(`for i in $(seq ${CHILDREN}); do grep -o 'did [0-9]*' "in/each-1/$i/output.txt"; done`),
    },
    edges: [
      ['source-1/file', 'each-1/item'],
      ['each-1/folder', 'gather-1/folder'],
    ],
  });
});
afterAll(() => system?.stop(), 60_000);

/** Fills all free space repeatedly, because other files may be deleted during the test. @returns a function that frees the space */
function fillDisk(): () => void {
  const path = join(system.folder, 'ballast');
  const file = openSync(path, 'w');
  const fill = () => {
    for (const size of [1024 * 1024, 4096, 512]) {
      try {
        while (writeSync(file, Buffer.alloc(size)) > 0);
      } catch {
        // The disk is full for pieces of this size.
      }
    }
  };
  fill();
  const timer = setInterval(fill, 200);
  return () => {
    clearInterval(timer);
    closeSync(file);
    rmSync(path);
  };
}

const upload = (name: string) => {
  const form = new FormData();
  form.set('path', name);
  form.set('file', new Blob(['x'.repeat(300_000)]), name);
  return fetch(`${system.url}/api/storage/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.access}` },
    body: form,
  });
};

/** Publishes an event without a consumer that is large enough to need disk space. @returns whether the broker stored it */
const publish = (broker: Broker) =>
  broker.streams.publish('evt.runs.probe', Buffer.alloc(100_000), { timeout: 1_000 }).then(
    () => true,
    () => false,
  );

const pids = () => Object.fromEntries(SERVICES.map((name) => [name, system.pidOf(name)]));
const logOf = (name: string) => readFileSync(join(system.folder, 'logs', `${name}.log`), 'utf8');

it('a full disk ends no service and fails no run, and everything resumes when space is free again', async () => {
  const before = pids();
  const broker = new Broker(brokerOptions(system.folder));
  await broker.onModuleInit();
  const { id } = await account.client.call(runs.createRun, { params: { id: workflow }, body: {} });
  const expectProgress = async () => {
    const { run_insights: insights } = await account.client.call(runs.getRun, { params: { id } });
    expect(insights.succeeded).toBeGreaterThan(3);
  };
  await eventually(expectProgress, { withinMs: 30_000 });

  const freeDisk = fillDisk();
  const end = Date.now() + FULL_MS;
  const stored: boolean[] = [];
  try {
    await eventually(
      async () => {
        const ready = await fetch(`${system.url}/health/system`);
        expect([ready.status, await ready.text()]).toEqual([503, expect.stringMatching(/"disk":"disk full: [^"]*MiB/)]);
      },
      { withinMs: 20_000 },
    );
    const refused = await upload('refused.bin');
    expect([503, 507]).toContain(refused.status);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ code: expect.stringMatching(/^(unavailable|storage_full)$/) });
    while (Date.now() < end) {
      expect((await fetch(`${system.url}/health/live`)).status).toBe(200);
      await rawRequest(account, 'GET', '/api/spaces');
      stored.push(await publish(broker));
      await sleep(500);
    }
  } finally {
    freeDisk();
  }

  await eventually(async () => expect(await system.isReady()).toBe(true), { withinMs: 60_000 });
  const run = await waitForEnd(account.client, id);
  expect({ status: run.status, error: run.error, partial: run.partial }).toMatchObject({
    status: 'COMPLETED',
    partial: false,
  });
  expect(await listOutputs(account.client, id, 'each-1')).toHaveLength(CHILDREN);
  const lines = Array.from({ length: CHILDREN }, (_, index) => `did ${index + 1}\n`);
  expect(await readFilePort(account.client, id, 'gather-1')).toBe(lines.join(''));
  // After a write without disk space, NATS streams do not respond until NATS is restarted.
  expect(stored).toContain(false);
  await eventually(async () => expect(await publish(broker)).toBe(true), { withinMs: 30_000 });
  await broker.onApplicationShutdown();
  await eventually(
    async () => {
      const { results } = await account.client.call(notifications.listNotifications);
      expect(results).toMatchObject([{ type: 'MANUAL_RUN_COMPLETED' }]);
    },
    { withinMs: 60_000 },
  );
  await eventually(async () => expect((await upload('taken.bin')).status).toBe(201), { withinMs: 10_000 });
  expect(pids()).toEqual(before);
  expect(SERVICES.map(logOf).join('')).toMatch(/\d+ log lines were dropped while the disk was full/);
});
