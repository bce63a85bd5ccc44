import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runDispatch } from '@millrace/contracts/runs/engine';
import { newId } from '@millrace/persistence/ids';
import type { JobOptions } from '@millrace/persistence/outbox';
import type { RunningService } from '@millrace/service/run-until-signal';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { billingServiceOf } from '../testing/billing-service-of.js';
import { JobProcessor } from './job-processor.js';
import { JobQueues } from './job-queues.js';
import { RetryLaterError } from './retry-later-error.js';

const done: string[] = [];
let fail = false;
let notYet = 0;

@Injectable()
class Processor {
  @JobProcessor(runDispatch)
  async work({ dispatch }: Payload<typeof runDispatch>): Promise<void> {
    done.push(dispatch);
    if (notYet-- > 0) throw new RetryLaterError(50);
    if (fail) throw new Error('the job fails');
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
  fail = false;
  notYet = 0;
  await worker?.close();
  worker = null;
});
afterAll(() => system.close());

const startWorker = async () => (worker = await system.start(billing));

const jobNamed = (dispatch: string): Payload<typeof runDispatch> => ({
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
  runs.database.transaction(async (tx) => tx.enqueue(runDispatch, jobNamed(name), options));

const timesDone = (name: string) => done.filter((other) => other === name).length;

const untilDone = (name: string) => eventually(() => expect(timesDone(name)).toBeGreaterThan(0));

const untilRelayed = () =>
  eventually(async () =>
    expect(await system.database.query(`SELECT 1 FROM messaging.outbox WHERE kind = 'job'`)).toEqual([]),
  );

/** One job is done after the other, so that what was queued before this one is over once it is done. */
async function untilAllDone(): Promise<void> {
  const marker = `marker ${newId()}`;
  await enqueue(marker);
  await untilDone(marker);
}

describe('a job', () => {
  it('is done once its transaction is committed', async () => {
    await startWorker();
    await enqueue('simple');
    await untilDone('simple');
  });

  it('ordered in a transaction that is rolled back is never done', async () => {
    await startWorker();
    const failing = runs.database.transaction(async (tx) => {
      tx.enqueue(runDispatch, jobNamed('rolled back'));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await untilAllDone();
    expect(timesDone('rolled back')).toBe(0);
  });

  it('that is relayed twice is done once, also when it was done in between', async () => {
    await startWorker();
    const [relayed, again] = [newId(), newId()];
    // A relay that died after it had queued the job, and before it took it out of the outbox.
    const leaveBehind = (id: string, name: string) =>
      system.database.query(
        `INSERT INTO messaging.outbox (id, service, kind, name, payload, options, created_at)
         VALUES ($1, 'runs', 'job', $2, $3, '{}', now() - interval '1 minute')`,
        [id, runDispatch.name, JSON.stringify(jobNamed(name))],
      );
    await leaveBehind(relayed, 'twice');
    await untilDone('twice');
    await untilRelayed();
    await leaveBehind(relayed, 'twice');
    await leaveBehind(again, 'beside it');
    await untilDone('beside it');
    await untilAllDone();
    expect(timesDone('twice')).toBe(1);
  });

  it('with an id of its own is not queued twice at a time, but may come again later', async () => {
    await enqueue('first', { id: 'sweep' });
    await enqueue('second', { id: 'sweep' });
    await untilRelayed();
    await startWorker();
    await untilAllDone();
    expect([timesDone('first'), timesDone('second')]).toEqual([1, 0]);
    await enqueue('third', { id: 'sweep' });
    await untilDone('third');
  });

  it('with a delay waits for it', async () => {
    await startWorker();
    const start = Date.now();
    await enqueue('delayed', { delayMs: 600 });
    await untilDone('delayed');
    expect(Date.now() - start).toBeGreaterThanOrEqual(600);
  });

  it('that may be tried once is not tried again where it fails', async () => {
    fail = true;
    await startWorker();
    await enqueue('failing');
    await untilDone('failing');
    await untilAllDone();
    expect(timesDone('failing')).toBe(1);
  });

  it.each(['a:b', '17'])('cannot have the id "%s", which BullMQ would misread', async (id) => {
    await expect(enqueue('misnamed', { id })).rejects.toThrow(/must not contain ":" or be an integer/);
  });
});

it('a queue knows a job for as long as it is not over', async () => {
  const queues = new JobQueues(system.optionsOf('runs'));
  const known = () => queues.findUnfinished(runDispatch, ['known', 'never-queued']);
  await enqueue('known', { id: 'known' });
  await untilRelayed();
  expect(await known()).toEqual(new Set(['known']));
  await startWorker();
  await untilDone('known');
  await eventually(async () => expect(await known()).toEqual(new Set()));
  await queues.onApplicationShutdown();
});

it('a job that may not be done yet comes again, as often as it takes, and these are none of its tries', async () => {
  notYet = runDispatch.attempts + 5;
  await startWorker();
  await enqueue('not yet');
  await eventually(() => expect(timesDone('not yet')).toBe(runDispatch.attempts + 6));
  expect(notYet).toBeLessThanOrEqual(0);
});
