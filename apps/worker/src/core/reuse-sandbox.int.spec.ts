import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { script, startWorker, type TestWorker } from '../testing/start-worker.js';

/** Identifies a sandbox. The kernel reuses numbers of namespaces, so the start time of process 1 is needed too. */
const IDENTIFY = "readlink /proc/self/ns/pid; cut -d' ' -f22 /proc/1/stat; ls -A /tmp /dev/shm";
const OTHER_VAULT = { vault: '01890000-0000-7000-8000-000000000001' };

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker({ WORKER_ISOLATION: 'required' });
});
afterEach(() => worker.end());

/** Runs a plan that prints its sandbox and the files in it, and leaves files there. Plans differ by `name`. */
async function findSandboxOf(name: string, more = {}): Promise<string> {
  const source = `${IDENTIFY}; touch /tmp/${name} /dev/shm/${name}`;
  await worker.core.execute(await worker.dispatch([script(0, source)], more));
  // The slot is free again a moment after the dispatch has ended.
  await sleep(300);
  const { stdout, stderr, outcome } = worker.finished().at(-1)!;
  expect({ outcome, stderr }).toEqual({ outcome: 'succeeded', stderr: null });
  return (await worker.store.readAll(stdout!.sha256)).toString();
}

it('the next run of the same version in the same vault gets the same sandbox, without its files', async () => {
  const first = await findSandboxOf('a');
  expect(first).toMatch(/^pid:\[\d+\]\n\d+\n\/dev\/shm:\n\n\/tmp:\n$/);
  const other = await findSandboxOf('b');
  expect(await findSandboxOf('a')).toBe(first);
  expect(await findSandboxOf('b')).toBe(other);
});

it('a run of another version or another vault never gets that sandbox, even if all sandboxes are retained', async () => {
  const found = [
    await findSandboxOf('a'),
    await findSandboxOf('b'),
    await findSandboxOf('a', OTHER_VAULT),
    await findSandboxOf('c'),
  ];
  expect(new Set(found).size).toBe(4);
});

it('the next run does not get the sandbox of a failed run', async () => {
  const failing = [script(0, `${IDENTIFY}; exit 1`)];
  const found: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    await worker.core.execute(await worker.dispatch(failing));
    await sleep(300);
    found.push((await worker.store.readAll(worker.finished().at(-1)!.stdout!.sha256)).toString());
  }
  expect(new Set(found).size).toBe(3);
});
