import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import {
  type ContainerCommand,
  ContainerDisruptedError,
  ContainerStartError,
  ExecutorUnavailableError,
  ImageUnavailableError,
} from '../container-executor.js';
import { testOptions } from '../testing/kubernetes-test-options.js';
import { makeCommand, removeCommands } from '../testing/make-command.js';
import { startStubCluster } from '../testing/start-stub-cluster.js';
import type { StubCluster } from '../testing/stub-cluster.js';
import { KubernetesExecutor } from './kubernetes-executor.js';

let cluster: StubCluster;
let executor: KubernetesExecutor;
beforeAll(async () => {
  cluster = await startStubCluster();
  executor = new KubernetesExecutor(testOptions(cluster));
});
afterAll(async () => {
  await executor.close();
  await cluster.close();
});
afterEach(async () => {
  await eventually(() => expect(cluster.pods.size).toBe(0));
  removeCommands();
});

const logOf = ({ folders }: ContainerCommand) => readFileSync(join(folders.step, 'stdout'), 'utf8');

/** Starts a command that prints `started`, and waits for that. */
async function start(script = 'sleep 60') {
  const command = makeCommand(`echo started; ${script}`);
  const run = executor.run(command);
  await eventually(() => expect(logOf(command)).toMatch(/^started\n/));
  return { command, run };
}

describe('stopping a command', () => {
  it('sends TERM, which it can handle', async () => {
    const { command, run } = await start(`trap 'echo bye; exit 4' TERM; while :; do sleep 0.05; done`);
    run.stop(20_000);
    expect(await run.exit).toMatchObject({ code: 4, killReason: null });
    expect(logOf(command)).toBe('started\nbye\n');
  });

  it('kills it after the grace period', async () => {
    const { run } = await start(`trap '' TERM; while :; do :; done`);
    run.stop(500);
    const exit = await run.exit;
    expect(exit).toMatchObject({ code: null, signal: 'SIGKILL', killReason: null });
    expect(exit.cpuMs).toBeGreaterThan(100);
  });

  it('deletes its Job if it has not started', async () => {
    const run = executor.run(makeCommand('true'));
    run.stop(10_000);
    expect(await run.exit).toMatchObject({ code: null, signal: 'SIGTERM', killReason: null });
  });
});

describe('a command goes on', () => {
  it('while the API server is not available, and its log is complete afterwards', async () => {
    const { command, run } = await start('for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.2; done; echo x >out/x');
    cluster.failFor(1_500);
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(logOf(command)).toBe('started\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n');
    expect(readFileSync(join(command.folders.output, 'x'), 'utf8')).toBe('x\n');
  });

  it('if the watch is closed, and its version is too old afterwards', async () => {
    const { run } = await start('until [ -e /tmp/go ]; do sleep 0.05; done');
    cluster.podStore.forgetHistory();
    cluster.podStore.closeWatches();
    const other = executor.run(makeCommand('true'));
    expect(await other.exit).toMatchObject({ code: 0 });
    run.stop(0);
    await run.exit;
  });
});

describe('a command is over', () => {
  it('if its container runs out of memory, with the reason and its log', async () => {
    const { command, run } = await start();
    cluster.pod.killForMemory('step');
    expect(await run.exit).toMatchObject({ code: null, signal: 'SIGKILL', killReason: 'memory' });
    expect(logOf(command)).toBe('started\n');
  });

  it('if its pod is evicted for its files, with the reason', async () => {
    const { run } = await start();
    await cluster.pod.evict('Usage of EmptyDir volume "work" exceeds the limit "10737418240".');
    expect(await run.exit).toMatchObject({ killReason: 'disk' });
  });

  it('if its pod is deleted because its Job has run for too long', async () => {
    const other = new KubernetesExecutor(testOptions(cluster, { deadlineSeconds: 2 }));
    expect(await other.run(makeCommand('sleep 60')).exit).toMatchObject({ killReason: 'lost' });
    await other.close();
  });
});

describe('a command can run elsewhere', () => {
  it.each<[string, () => void, RegExp]>([
    ['if its node is drained', () => void cluster.pod.drain(), /removed from its node: Eviction API: evicting$/],
    ['if somebody deletes its pod', () => void cluster.pod.delete(), /removed from its node: it was deleted$/],
    ['if somebody deletes its Job', () => cluster.deleteJobs(), /removed from its node: it was deleted$/],
    ['if its node is lost', () => void cluster.pod.lose(), /removed from its node: it was deleted$/],
    [
      'if its node lacks memory',
      () => void cluster.pod.evict('The node was low on resource: memory.'),
      /removed from its node: The node was low on resource: memory\.$/,
    ],
  ])('%s', async (_title, disrupt, message) => {
    const { run } = await start();
    disrupt();
    await expect(run.exit).rejects.toThrow(ContainerDisruptedError);
    await expect(run.exit).rejects.toThrow(message);
  });
});

describe('a command that cannot start fails with the reason', () => {
  const fail = async (command: ContainerCommand, changes: Parameters<typeof testOptions>[1] = {}) => {
    const other = new KubernetesExecutor(testOptions(cluster, { startTimeoutMs: 1_000, ...changes }));
    try {
      return await other.run(command).exit;
    } finally {
      await other.close();
    }
  };

  it('if its image does not exist', async () => {
    const error = await fail(makeCommand('true', { image: 'nowhere/tool:1' }), { startTimeoutMs: 20_000 }).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ImageUnavailableError);
    expect((error as Error).message).toMatch(/^image nowhere\/tool:1 cannot be pulled: .*not found$/);
  });

  it('if the image of the worker does not exist', async () => {
    const failed = fail(makeCommand('true'), { helperImage: 'nowhere/worker:1', startTimeoutMs: 20_000 });
    await expect(failed).rejects.toThrow(/nowhere\/worker:1, .*Set WORKER_KUBERNETES_HELPER_IMAGE/);
  });

  it('if no node takes its pod', async () => {
    const failed = fail(makeCommand('true'), { pod: { nodeSelector: { gpu: 'true' } } });
    await expect(failed).rejects.toThrow(/did not start within 1 s .*no node takes its pod: 0\/1 nodes are available/);
  });

  it('if Kubernetes makes no pod', async () => {
    cluster.podsRefused = 'Error creating: pods "x" is forbidden: exceeded quota';
    await expect(fail(makeCommand('true'))).rejects.toThrow(/forbidden: exceeded quota/);
    cluster.podsRefused = null;
  });

  it('if its Job is not valid', async () => {
    const failed = fail(makeCommand('true'), { cpu: { cores: 1 } as unknown as string });
    await expect(failed).rejects.toThrow(ContainerStartError);
    await expect(failed).rejects.toThrow(/Kubernetes refuses the Job of a step: Job is invalid: .*cpu/);
  });
});

describe('the executor', () => {
  it('removes the Jobs that the worker before it has left, and no others', async () => {
    const [earlier, other] = ['worker-0', 'worker-2'].map(
      (worker) => new KubernetesExecutor(testOptions(cluster, { worker })),
    ) as [KubernetesExecutor, KubernetesExecutor];
    const runs = [earlier, other].map((one) => one.run(makeCommand('sleep 60')));
    await eventually(() => expect(cluster.pods.size).toBe(2));
    await new KubernetesExecutor(testOptions(cluster, { replaces: 'worker-0' })).prepare();
    await expect(runs[0]?.exit).rejects.toThrow(ContainerDisruptedError);
    expect(cluster.jobStore.list().map(({ metadata }) => metadata.labels)).toMatchObject([
      { 'millrace.dev/worker': 'worker-2' },
    ]);
    await Promise.all([earlier.close(), other.close()]);
    await runs[1]?.exit;
  });

  it.each([
    ['create jobs', /may not create jobs in the namespace millrace-steps/],
    ['get pods/exec', /may not get pods\/exec/],
  ])('does not start if it may not %s', async (access, message) => {
    cluster.denied.add(access);
    await expect(executor.prepare()).rejects.toThrow(message);
    cluster.denied.delete(access);
  });

  it('does not start on a cluster that is too old, or without one', async () => {
    cluster.minorVersion = '29+';
    await expect(executor.prepare()).rejects.toThrow(/needs Kubernetes 1\.30 or newer \(got 1\.29\+\)/);
    cluster.minorVersion = '33';
    cluster.failFor(300);
    await expect(executor.prepare()).rejects.toThrow(ExecutorUnavailableError);
  });
});
