import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runDispatch } from '@millrace/contracts/runs/engine';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import type { JobOptions } from '@millrace/persistence/outbox';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { EventHandler } from '../events/event-handler.js';
import { JobProcessor } from '../jobs/job-processor.js';
import { billingServiceOf } from '../testing/billing-service-of.js';

/** Names of the events and jobs that fail. */
const broken = new Set<string>();

@Injectable()
class Handlers {
  /** The effect of an event is a row. The run of the payload carries the name of the event. */
  @EventHandler(subjobsFinished)
  async handle(payloads: Payload<typeof subjobsFinished>[], tx: Transaction): Promise<void> {
    const names = payloads.map(({ entries }) => entries[0]?.run ?? '');
    await tx.$executeRaw`INSERT INTO effect (name) SELECT unnest(${names}::text[])`;
    if (names.some((name) => broken.has(name))) throw new Error('the handler is broken');
  }

  @JobProcessor(runDispatch)
  async work({ dispatch }: Payload<typeof runDispatch>): Promise<void> {
    if (broken.has(dispatch)) throw new Error('the job is broken');
    await system.database.query('INSERT INTO effect (name) VALUES ($1)', [dispatch]);
  }
}

const billing = billingServiceOf({ providers: [Handlers], consumes: [subjobsFinished] });

let system: System;
let runs: EventSource;
beforeAll(async () => {
  system = await startApps([], { EVENT_MAX_DELIVERIES: '2' });
  await system.database.query('CREATE TABLE effect (name text); GRANT INSERT ON effect TO PUBLIC');
  runs = await system.sourceOf('runs');
  await system.start(billing);
});
afterEach(() => broken.clear());
afterAll(() => system.close());

const emit = (name: string) =>
  runs.emit(subjobsFinished, {
    entries: [
      {
        ...{ subjob: '1', run: name, vault: newId(), workflow: newId(), attempt: 1, cpuMs: 0 },
        finishedAt: '2026-01-01T00:00:00Z',
      },
    ],
  });

const enqueue = (name: string, options?: JobOptions) =>
  runs.database.transaction(async (tx) => {
    const task = { index: 0, attempt: 1, files: {}, recorded: [] };
    const rest = { segment: 0, inputs: {}, shared: {}, items: null, tasks: [task] };
    const payload = { dispatch: name, run: '1', vault: newId(), plan: 'a'.repeat(64), ...rest };
    tx.enqueue(runDispatch, payload, options);
  });

interface Letter {
  id: string;
  kind: string;
  service: string;
  error: string;
  attempts: number;
  options: object | null;
  retry_at: Date | null;
}

const lettersOf = (name: string) =>
  system.database.query<Letter>(`SELECT * FROM messaging.dead_letter WHERE payload::text LIKE $1`, [`%"${name}"%`]);

const untilDead = (name: string) =>
  eventually(async () => {
    const [letter] = await lettersOf(name);
    if (!letter) throw new Error(`${name} is not dead`);
    return letter;
  });

const effectsOf = async (name: string): Promise<number> =>
  (await system.database.query('SELECT 1 FROM effect WHERE name = $1', [name])).length;

/** Requests what the operation `auth.deadLetters.retry` requests for an event. */
const retry = ({ id }: Letter) =>
  system.database.query('UPDATE messaging.dead_letter SET retry_at = now() WHERE id = $1', [id]);

describe('an event that always fails', () => {
  it('is stored after its last delivery, and others are handled', async () => {
    broken.add('poison');
    await emit('poison');
    await emit('healthy');
    const letter = await untilDead('poison');
    expect(letter).toMatchObject({ kind: 'event', service: 'billing', error: 'the handler is broken', attempts: 2 });
    await eventually(async () => expect(await effectsOf('healthy')).toBe(1));
    expect(await effectsOf('poison')).toBe(0);
  });

  it('has its effect once when it is handled again, and leaves the list', async () => {
    broken.add('repaired');
    await emit('repaired');
    const letter = await untilDead('repaired');
    broken.clear();
    await retry(letter);
    await eventually(async () => expect(await effectsOf('repaired')).toBe(1));
    await eventually(async () => expect(await lettersOf('repaired')).toEqual([]));
  });

  it('stays in the list with its latest failure if it fails again', async () => {
    broken.add('stubborn');
    await emit('stubborn');
    await retry(await untilDead('stubborn'));
    await eventually(async () =>
      expect(await lettersOf('stubborn')).toMatchObject([
        { attempts: 3, retry_at: null, error: 'the handler is broken' },
      ]),
    );
    expect(await effectsOf('stubborn')).toBe(0);
  });
});

describe('a job that fails for good', () => {
  it('is stored, also if its id may be used again and the queue forgets it', async () => {
    for (const [name, options] of [['plain', undefined] as const, ['named', { id: 'job-named' }] as const]) {
      broken.add(name);
      await enqueue(name, options);
      const letter = await untilDead(name);
      expect(letter).toMatchObject({ kind: 'job', error: 'the job is broken', attempts: 1, options: options ?? {} });
    }
  });

  it('is processed again from the outbox', async () => {
    broken.add('second chance');
    await enqueue('second chance');
    const { id } = await untilDead('second chance');
    broken.clear();
    // What the operation `auth.deadLetters.retry` does with a job.
    await system.database.query(
      `WITH job AS (DELETE FROM messaging.dead_letter WHERE id = $1 RETURNING *)
       INSERT INTO messaging.outbox (id, service, kind, name, payload, options, created_at)
       SELECT id, 'runs', 'job', name, payload, options, now() - interval '1 minute' FROM job`,
      [id],
    );
    await eventually(async () => expect(await effectsOf('second chance')).toBe(1));
  });
});
