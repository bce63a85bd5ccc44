import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { script, startWorker, type TestWorker } from '../testing/start-worker.js';

/** Numbers of namespaces are given again; together with the start of its process 1 one is known. */
const WHICH = "readlink /proc/self/ns/pid; cut -d' ' -f22 /proc/1/stat; ls -A /tmp /dev/shm";
const OTHER_VAULT = { vault: '01890000-0000-7000-8000-000000000001' };

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker({ WORKER_ISOLATION: 'required' });
});
afterEach(() => worker.end());

/** Runs a plan that tells its sandbox and what is in it, and leaves files there; `name` makes plans differ. */
async function sandboxOf(name: string, more = {}): Promise<string> {
  const source = `${WHICH}; touch /tmp/${name} /dev/shm/${name}`;
  await worker.core.execute(await worker.dispatch([script(0, source)], more));
  // The slot is free again a moment after the dispatch has ended.
  await sleep(300);
  const { stdout, stderr, outcome } = worker.finished().at(-1)!;
  expect({ outcome, stderr }).toEqual({ outcome: 'succeeded', stderr: null });
  return (await worker.store.readAll(stdout!.sha256)).toString();
}

it('the next run of the same version in the same vault finds its sandbox again, and nothing in it', async () => {
  const first = await sandboxOf('a');
  expect(first).toMatch(/^pid:\[\d+\]\n\d+\n\/dev\/shm:\n\n\/tmp:\n$/);
  const other = await sandboxOf('b');
  expect(await sandboxOf('a')).toBe(first);
  expect(await sandboxOf('b')).toBe(other);
});

it('another version or another vault never gets that sandbox, even where all wait for somebody', async () => {
  const found = [await sandboxOf('a'), await sandboxOf('b'), await sandboxOf('a', OTHER_VAULT), await sandboxOf('c')];
  expect(new Set(found).size).toBe(4);
});

it('a run that failed leaves no sandbox to the next', async () => {
  const failing = [script(0, `${WHICH}; exit 1`)];
  const found: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    await worker.core.execute(await worker.dispatch(failing));
    await sleep(300);
    found.push((await worker.store.readAll(worker.finished().at(-1)!.stdout!.sha256)).toString());
  }
  expect(new Set(found).size).toBe(3);
});
