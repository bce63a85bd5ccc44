import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

/** A worker process. It starts a core on the folder of its argument, prints its id, and runs steps for each line that it reads. */
const WORKER = `
const [module, folder] = process.argv.slice(1);
const { startWorker, script } = await import(module);
// Standard output is for the test.
(await import('@nestjs/common')).Logger.overrideLogger(false);
const worker = await startWorker({ WORK_DIR: folder, WORKER_ISOLATION: 'required' });
const { folder: own, id } = worker.core;
console.log(JSON.stringify({ folder: own, id, replaces: worker.core.heartbeat().replaces }));
for await (const line of (await import('node:readline')).createInterface({ input: process.stdin })) {
  const steps = [0, 1, 2].map((index) => script(index, \`echo \${id} > out/\${line}; sleep 0.02; cat out/*\`));
  await worker.core.execute(await worker.dispatch(steps));
  await worker.reported();
  console.log(JSON.stringify(worker.finished().splice(0).map(({ outcome, message }) => message ?? outcome)));
  worker.reports.length = 0;
}
await worker.end();
`;
const MODULE = join(import.meta.dirname, '../../dist/testing/start-worker.js');
/** A process namespace of its own, as in a container, so that no worker sees another's process. */
const AS_ROOT = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const UNSHARE = ['unshare', ...AS_ROOT, '--pid', '--fork', '--mount-proc', '--kill-child'];

interface Identity {
  folder: string;
  id: string;
  replaces: string | null;
}

interface WorkerProcess extends Identity {
  child: ChildProcess;
  run(name: string): Promise<string[]>;
}

let root: string;
let children: ChildProcess[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'millrace-shared-'));
  children = [];
});
afterEach(async () => {
  for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    const closed = once(child, 'close');
    child.stdin?.end();
    await closed;
  }
  rmSync(root, { recursive: true, force: true });
});

async function startProcess(prefix: readonly string[]): Promise<WorkerProcess> {
  const argv = [...prefix, process.execPath, '--input-type=module', '-e', WORKER, MODULE, root];
  const child = spawn(argv[0] ?? '', argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? 'null') as unknown;
  const identity = (await next()) as Identity;
  const run = async (name: string) => {
    child.stdin.write(`${name}\n`);
    return (await next()) as string[];
  };
  return { ...identity, child, run };
}

const kill = async ({ child }: WorkerProcess) => {
  child.kill('SIGKILL');
  await once(child, 'close');
};

describe.each([
  ['process namespaces of their own', UNSHARE],
  ['one process tree', []],
])('three workers in %s with one work folder', (_, prefix) => {
  it('have a folder each, run steps at the same time, and a restarted worker replaces the one that was killed', async () => {
    const workers = await Promise.all([1, 2, 3].map(() => startProcess(prefix)));
    expect(workers.map(({ folder }) => folder).sort()).toEqual([1, 2, 3].map((one) => join(root, `worker-${one}`)));
    const outcomes = ['succeeded', 'succeeded', 'succeeded'];
    for (const name of ['first', 'second']) {
      const ended = await Promise.all(workers.map((worker) => worker.run(name)));
      expect(ended).toEqual([outcomes, outcomes, outcomes]);
    }
    const [lost, ...others] = workers as [WorkerProcess, ...WorkerProcess[]];
    await kill(lost);
    const again = await startProcess(prefix);
    expect(again).toMatchObject({ folder: lost.folder, replaces: lost.id });
    const ended = await Promise.all([again, ...others].map((worker) => worker.run('third')));
    expect(ended).toEqual([outcomes, outcomes, outcomes]);
  });
});
