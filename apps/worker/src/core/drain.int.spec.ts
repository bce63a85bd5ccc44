import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { reportBatch } from '@millrace/contracts/runs/report';
import { script, startWorker, type TestWorker } from '../testing/start-worker.js';

let worker: TestWorker;
afterEach(() => {
  expect(reportBatch.parse({ worker: worker.core.id, reports: worker.reports }).reports).toEqual(worker.reports);
  rmSync(worker.folder, { recursive: true, force: true });
});

const task = (index: number) => ({ index, attempt: 1, files: {}, recorded: [] });
const started = async () => {
  while (worker.reports.length === 0) await sleep(10);
};

describe('a worker that shuts down', () => {
  it('finishes the running step, returns all other tasks, and takes no new dispatch', async () => {
    worker = await startWorker({ WORKER_ISOLATION: 'off', WORKER_SLOTS: '1' });
    const wait = 'sleep 0.5; echo done';
    const payload = await worker.dispatch([script(0, wait)], { tasks: [task(1), task(2)] });
    const running = worker.core.execute(payload);
    await started();
    const closing = worker.core.close(60_000);
    expect(worker.core.heartbeat()).toMatchObject({ state: 'draining', dispatches: ['d-1'] });
    await worker.core.execute(await worker.dispatch([script(0, 'echo never')], { tasks: [task(3)] }));
    await Promise.all([running, closing]);
    expect(worker.reports.map(({ type, dispatch }) => `${dispatch} ${type}`).sort()).toEqual(
      ['d-1 started', 'd-1 returned', 'd-2 returned', 'd-2 closed', 'd-1 finished', 'd-1 closed'].sort(),
    );
    expect(worker.finished()).toMatchObject([{ task: 1, outcome: 'succeeded' }]);
    expect(worker.core.heartbeat()).toMatchObject({ state: 'stopped', dispatches: [] });
  });

  it('hands an interrupted step back after the limit, when its processes have ended', async () => {
    worker = await startWorker({ WORKER_ISOLATION: 'off', WORKER_SLOTS: '1' });
    const payload = await worker.dispatch([script(0, 'echo begun; sleep 60'), script(1, 'echo never')]);
    const running = worker.core.execute(payload);
    await started();
    await worker.core.close(0);
    await running.catch(() => undefined);
    expect(worker.reports.map(({ type }) => type)).toEqual(['started', 'finished', 'closed']);
    expect(worker.finished()).toMatchObject([
      { step: 0, outcome: 'failed', platformFailed: true, interrupted: true, outputs: { files: [] } },
    ]);
  });
});
