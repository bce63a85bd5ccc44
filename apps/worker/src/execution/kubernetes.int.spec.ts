import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startStubCluster } from '@millrace/containers/testing/start-stub-cluster';
import type { StubCluster } from '@millrace/containers/testing/stub-cluster';
import { HELPER_IMAGE, TOOL_IMAGE } from '@millrace/containers/testing/stub-images';
import type { StepInput } from '@millrace/graph/plan/plan';
import { eventually } from '@millrace/testkit/eventually';
import { script, startWorker, type TestWorker } from '../testing/start-worker.js';

let cluster: StubCluster;
let folder: string;
let worker: TestWorker;
beforeAll(async () => {
  cluster = await startStubCluster();
  folder = mkdtempSync(join(tmpdir(), 'millrace-kubeconfig-'));
  writeFileSync(join(folder, 'config'), cluster.config.exportConfig());
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => worker.end());

const start = async (env = {}) => {
  worker = await startWorker({
    ...{ WORKER_EXECUTOR: 'kubernetes', WORKER_IMAGE: TOOL_IMAGE, WORKER_KUBERNETES_HELPER_IMAGE: HELPER_IMAGE },
    ...{ KUBECONFIG: join(folder, 'config'), ...env },
  });
};
const run = async (...steps: Parameters<TestWorker['dispatch']>[0]) => {
  await worker.core.execute(await worker.dispatch(steps));
  await worker.reported();
};
const input: StepInput = {
  ...{ param: 'x', source: 's0', type: 'FILE', order: 0, command: null },
  binding: { from: 'step', step: 0, port: 'file', gather: false },
};

describe('a worker with the executor kubernetes', () => {
  it('runs a chain of steps, each in a Job of its own', async () => {
    await start();
    const before = cluster.requests.length;
    await run(
      script(0, 'echo one'),
      script(1, 'cat in/s0/output.txt; echo two; echo "$TOOL_VERSION" >&2', { inputs: [input] }),
    );
    const [, last] = worker.finished();
    expect(last).toMatchObject({ outcome: 'succeeded', exitCode: 0, message: null, stderr: { size: 4 } });
    expect(await worker.text(last!.outputs)).toBe('one\ntwo\n');
    const created = cluster.requests
      .slice(before)
      .filter(({ method, path }) => method === 'POST' && path.includes('/jobs'));
    expect(created).toHaveLength(2);
  });

  it('reports a step whose node is drained as lost, so that it runs again elsewhere', async () => {
    await start();
    const running = run(script(0, 'sleep 60'));
    await eventually(() => expect(worker.reports.some(({ type }) => type === 'started')).toBe(true));
    await eventually(() => expect(cluster.pods.size).toBe(1));
    void cluster.pod.drain();
    await running;
    expect(worker.finished()).toMatchObject([
      {
        ...{ outcome: 'failed', platformFailed: true, lost: true, exitCode: null, cpuMs: 0 },
        message: 'the pod of the step was removed from its node: Eviction API: evicting',
      },
    ]);
  });

  it('says why the container of a step did not start', async () => {
    await start({ WORKER_KUBERNETES_POD: '{"nodeSelector":{"gpu":"true"}}', WORKER_KUBERNETES_START_SECONDS: '1' });
    await run(script(0, 'true'));
    expect(worker.finished()).toMatchObject([
      { outcome: 'failed', message: expect.stringMatching(/did not start within 1 s .*no node takes its pod/) },
    ]);
  });

  it('stops a step that takes too long', async () => {
    await start();
    await run(script(0, 'echo begun; sleep 60', { timeoutSeconds: 15 }));
    expect(worker.finished()).toMatchObject([
      { outcome: 'failed', message: 'timed out after 15 s', stdout: { size: 6 } },
    ]);
  });

  it('removes its Jobs when it ends', async () => {
    await start();
    const running = worker.core.execute(await worker.dispatch([script(0, 'sleep 60')]));
    while (cluster.jobStore.list().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await worker.core.close(0);
    await running;
    worker.end = async () => rmSync(worker.folder, { recursive: true });
    expect(cluster.jobStore.list()).toEqual([]);
  });
});
