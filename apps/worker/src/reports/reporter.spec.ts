import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type FinishedReport, type Report } from '@millrace/contracts/runs/report';
import { eventually } from '@millrace/testkit/eventually';
import { Reporter } from './reporter.js';

const closed = (number: number): Report => ({ type: 'closed', dispatch: String(number) });
const returned = (number: number): Report => ({ type: 'returned', dispatch: String(number), tasks: [] });
const names = (reports: Report[]) => reports.map((report) => report.dispatch);

function createRecorder(fails: () => boolean = () => false) {
  const batches: { reports: Report[] }[] = [];
  const send = async (reports: Report[]) => {
    await sleep(1);
    batches.push({ reports: [...reports] });
    if (fails()) throw new Error('no response');
  };
  return { batches, send };
}

describe('reports of a worker', () => {
  it('that are a few milliseconds apart are sent in one batch, in order', async () => {
    const { batches, send } = createRecorder();
    const reporter = new Reporter(send, { batchDelayMs: 500 });
    reporter.add(returned(1));
    await sleep(3);
    reporter.add(returned(2));
    await eventually(() => expect(batches).not.toEqual([]));
    expect(batches.map((batch) => names(batch.reports))).toEqual([['1', '2']]);
  });

  it('are all sent at once when a dispatch is closed', async () => {
    const { batches, send } = createRecorder();
    const reporter = new Reporter(send, { batchDelayMs: 60_000 });
    reporter.add(returned(1));
    reporter.add(closed(1));
    await reporter.flush();
    expect(batches.map((batch) => names(batch.reports))).toEqual([['1', '1']]);
  });

  it('are sent at intervals if many dispatches are closed, the first at once', async () => {
    const { batches, send } = createRecorder();
    const reporter = new Reporter(send, { batchDelayMs: 60_000, minIntervalMs: 500 });
    reporter.add(closed(1));
    await eventually(() => expect(batches).toHaveLength(1));
    for (const number of [2, 3, 4]) {
      reporter.add(closed(number));
      await sleep(10);
    }
    expect(batches).toHaveLength(1);
    await eventually(() => expect(batches.map((batch) => names(batch.reports))).toEqual([['1'], ['2', '3', '4']]));
    await sleep(500);
    reporter.add(closed(5));
    await eventually(() => expect(batches).toHaveLength(3));
  });

  it('that are added while a batch is sent follow in the next batch', async () => {
    const { batches, send } = createRecorder();
    const reporter = new Reporter(send, { batchDelayMs: 20, minIntervalMs: 10 });
    reporter.add(closed(1));
    await new Promise(setImmediate);
    reporter.add(returned(2));
    await eventually(() => expect(batches.map((batch) => names(batch.reports))).toEqual([['1'], ['2']]));
  });

  it('keep their dispatch pending until they have arrived', async () => {
    let fails = true;
    const { send } = createRecorder(() => fails);
    const reporter = new Reporter(send, { retryMs: 5 });
    reporter.add(closed(1));
    await sleep(20);
    expect([...reporter.pendingDispatches]).toEqual(['1']);
    fails = false;
    await reporter.flush();
    expect([...reporter.pendingDispatches]).toEqual([]);
  });

  it('are sent again until they arrive, in order', async () => {
    let failures = 3;
    const { batches, send } = createRecorder(() => failures-- > 0);
    const reporter = new Reporter(send, { retryMs: 1 });
    reporter.add(closed(1));
    await sleep(12);
    reporter.add(closed(2));
    await reporter.flush();
    expect(batches.map((batch) => names(batch.reports))).toEqual([['1'], ['1'], ['1'], ['1'], ['2']]);
  });

  it('are never sent in a batch that is too large for the broker', async () => {
    const { batches, send } = createRecorder();
    const reporter = new Reporter(send);
    for (let number = 0; number < 200; number += 1) reporter.add(large(number));
    await reporter.flush();
    const sizes = batches.map((batch) => JSON.stringify(batch.reports).length);
    expect(Math.max(...sizes)).toBeLessThan(1_000_000);
    expect(batches.flatMap((batch) => names(batch.reports))).toEqual(
      Array.from({ length: 200 }, (_, number) => String(number)),
    );
  });

  it('make the worker wait if too many of them have not arrived', async () => {
    let failing = true;
    const { send } = createRecorder(() => failing);
    const reporter = new Reporter(send, { maxQueued: 10, retryMs: 1 });
    for (let number = 0; number < 10; number += 1) reporter.add(closed(number));
    let hasCapacity = false;
    const waiting = reporter.waitForCapacity().then(() => (hasCapacity = true));
    await sleep(40);
    expect(hasCapacity).toBe(false);
    failing = false;
    await waiting;
    await reporter.flush();
  });
});

function large(number: number): FinishedReport {
  const files = Array.from({ length: 100 }, (_, index) => ({
    path: `${index}`.padStart(150, 'ü'),
    sha256: '0'.repeat(64),
    size: 1,
  }));
  const subject = { dispatch: String(number), task: 0, attempt: 1, step: 0, at: 0, startedAt: 0 };
  const logs = { stdout: null, stderr: null, cpuMs: 0, maxRssBytes: null, split: null };
  return {
    type: 'finished',
    ...subject,
    outcome: 'succeeded',
    exitCode: 0,
    message: null,
    params: {},
    outputs: { files },
    ...logs,
  };
}
