import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runDispatch } from '@millrace/contracts/runs/engine';
import { newId } from '@millrace/persistence/ids';
import type { JobOptions } from '@millrace/persistence/outbox';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { type System, startApps } from '@millrace/testkit/start-apps';
import { billingServiceOf } from '../testing/billing-service-of.js';
import { currentRequestId, withLogFields } from '../tracing/log-fields.js';
import { RetryLaterError } from './job-errors.js';
import { JobProcessor } from './job-processor.js';
import { JobQueues } from './job-queues.js';

const processed: string[] = [];
/** The request of each job, by dispatch. */
const requestOf = new Map<string, string | undefined>();
let shouldFail = false;
let postponements = 0;
let block: PromiseWithResolvers<void> | null = null;

@Injectable()
class Processor {
  @JobProcessor(runDispatch)
  async work({ dispatch }: Payload<typeof runDispatch>): Promise<void> {
    processed.push(dispatch);
    requestOf.set(dispatch, currentRequestId());
    await block?.promise;
    if (postponements-- > 0) throw new RetryLaterError(50);
    if (shouldFail) throw new Error('the job fails');
  }
}

const billing = billingServiceOf({ providers: [Processor] });

let system: System;
let runs: EventSource;
let worker: RunningService | null = null;
beforeAll(async () => {
  system = await startApps([]);
  runs = await system.sourceOf('runs');
});
afterEach(async () => {
  shouldFail = false;
  postponements = 0;
  block?.resolve();
  block = null;
  await worker?.close();
  worker = null;
});
afterAll(() => system.close());

const startWorker = async () => (worker = await system.start(billing));

const payloadOf = (dispatch: string): Payload<typeof runDispatch> => ({
  dispatch,
  run: '1',
  vault: newId(),
  plan: 'a'.repeat(64),
  segment: 0,
  inputs: {},
  shared: {},
  items: null,
  tasks: [{ index: 0, attempt: 1, files: {}, recorded: [] }],
});

const enqueue = (name: string, options?: JobOptions) =>
  runs.database.transaction(async (tx) => tx.enqueue(runDispatch, payloadOf(name), options));

const timesProcessed = (name: string) => processed.filter((other) => other === name).length;

const untilProcessed = (name: string) => eventually(() => expect(timesProcessed(name)).toBeGreaterThan(0));

const untilRelayed = () =>
  eventually(async () =>
    expect(await system.database.query(`SELECT 1 FROM messaging.outbox WHERE kind = 'job'`)).toEqual([]),
  );

/** Jobs are processed one after another, so all earlier ones have been processed when this one has. */
async function untilAllProcessed(): Promise<void> {
  const marker = `marker ${newId()}`;
  await enqueue(marker);
  await untilProcessed(marker);
}

describe('a job', () => {
  it('is processed once its transaction is committed', async () => {
    await startWorker();
    await enqueue('simple');
    await untilProcessed('simple');
  });

  it('is never processed if its transaction is rolled back', async () => {
    await startWorker();
    const failing = runs.database.transaction(async (tx) => {
      tx.enqueue(runDispatch, payloadOf('rolled back'));
      throw new Error('rolled back on purpose');
    });
    await expect(failing).rejects.toThrow('rolled back on purpose');
    await untilAllProcessed();
    expect(timesProcessed('rolled back')).toBe(0);
  });

  it('is processed once if it is relayed twice, even if it was processed in between', async () => {
    await startWorker();
    const [relayed, again] = [newId(), newId()];
    // A relay that crashed after queueing the job and before deleting its outbox entry.
    const leaveBehind = (id: string, name: string) =>
      system.database.query(
        `INSERT INTO messaging.outbox (id, service, kind, name, payload, options, created_at)
         VALUES ($1, 'runs', 'job', $2, $3, '{}', now() - interval '1 minute')`,
        [id, runDispatch.name, JSON.stringify(payloadOf(name))],
      );
    await leaveBehind(relayed, 'twice');
    await untilProcessed('twice');
    await untilRelayed();
    await leaveBehind(relayed, 'twice');
    await leaveBehind(again, 'beside it');
    await untilProcessed('beside it');
    await untilAllProcessed();
    expect(timesProcessed('twice')).toBe(1);
  });

  it('with an explicit id is not queued twice at a time, but may be enqueued again later', async () => {
    await enqueue('first', { id: 'sweep' });
    await enqueue('second', { id: 'sweep' });
    await untilRelayed();
    await startWorker();
    await untilAllProcessed();
    expect([timesProcessed('first'), timesProcessed('second')]).toEqual([1, 0]);
    await enqueue('third', { id: 'sweep' });
    await untilProcessed('third');
  });

  it('is processed after its delay', async () => {
    await startWorker();
    const start = Date.now();
    await enqueue('delayed', { delayMs: 600 });
    await untilProcessed('delayed');
    expect(Date.now() - start).toBeGreaterThanOrEqual(600);
  });

  it('with one attempt is not retried if it fails', async () => {
    shouldFail = true;
    await startWorker();
    await enqueue('failing');
    await untilProcessed('failing');
    await untilAllProcessed();
    expect(timesProcessed('failing')).toBe(1);
  });

  it.each(['a:b', '17'])('rejects the id "%s", which BullMQ would misread', async (id) => {
    await expect(enqueue('misnamed', { id })).rejects.toThrow(/must not contain ":" or be an integer/);
  });
});

it('JobQueues.findUnfinished finds a job until it has finished', async () => {
  const queues = new JobQueues(system.optionsOf('runs'));
  const unfinished = () => queues.findUnfinished(runDispatch, ['known', 'never-queued']);
  await enqueue('known', { id: 'known' });
  await untilRelayed();
  expect(await unfinished()).toEqual(new Set(['known']));
  await startWorker();
  await untilProcessed('known');
  await eventually(async () => expect(await unfinished()).toEqual(new Set()));
  await queues.onApplicationShutdown();
});

it('a job waits in the queue that it is enqueued to, from which it can be removed', async () => {
  const queues = new JobQueues(system.optionsOf('runs'));
  await startWorker();
  await enqueue('elsewhere', { id: 'elsewhere', queue: 'subjobs-elsewhere' });
  await untilAllProcessed();
  expect(await queues.findUnfinished(runDispatch, ['elsewhere'], 'subjobs-elsewhere')).toEqual(new Set(['elsewhere']));
  expect(await queues.remove(['elsewhere', 'never-queued'], 'subjobs-elsewhere')).toEqual(
    new Set(['elsewhere', 'never-queued']),
  );
  expect(await queues.findUnfinished(runDispatch, ['elsewhere'], 'subjobs-elsewhere')).toEqual(new Set());
  expect(timesProcessed('elsewhere')).toBe(0);
  await queues.onApplicationShutdown();
});

it('a job that a worker processes is not removed from its queue', async () => {
  const queues = new JobQueues(system.optionsOf('runs'));
  block = Promise.withResolvers<void>();
  await startWorker();
  await enqueue('running', { id: 'running' });
  await untilProcessed('running');
  expect(await queues.remove(['running'], runDispatch.queue)).toEqual(new Set());
  block.resolve();
  await queues.onApplicationShutdown();
});

it('a job that throws RetryLaterError returns as often as needed without using up attempts', async () => {
  postponements = runDispatch.attempts + 5;
  await startWorker();
  await enqueue('not yet');
  await eventually(() => expect(timesProcessed('not yet')).toBe(runDispatch.attempts + 6));
  expect(postponements).toBeLessThanOrEqual(0);
});

describe('the id of a request', () => {
  it('travels with the jobs that its transactions enqueue', async () => {
    await startWorker();
    await withLogFields({ requestId: 'request-1' }, () => enqueue('traced'));
    await eventually(() => expect(requestOf.get('traced')).toBe('request-1'));
  });

  it('is absent in a job that no request caused, such as one of an earlier version', async () => {
    await startWorker();
    await enqueue('untraced');
    await eventually(() => expect(processed).toContain('untraced'));
    expect(requestOf.get('untraced')).toBeUndefined();
  });
});
