import { EventEmitter, once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { consumerOf, eventStreamOf, eventSubjectOf, type Payload } from '@millrace/contracts/kit/event';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import type { RunningService } from '@millrace/service/startup/run-until-signal';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { Broker } from '../broker/broker.js';
import { billingServiceOf } from '../testing/billing-service-of.js';
import { currentRequestId, withLogFields } from '../tracing/log-fields.js';
import { EventHandler } from './event-handler.js';
import { EventStreams } from './event-streams.js';

/** Called by the handler in addition to its effect; a test sets it. */
let onHandled: (names: string[], broker: Broker) => Promise<void> | void = () => undefined;

@Injectable()
class Listener {
  constructor(private readonly broker: Broker) {}

  /** Each effect is a row. The run of the payload carries the name of the event. */
  @EventHandler(subjobsFinished)
  async handle(payloads: Payload<typeof subjobsFinished>[], tx: Transaction): Promise<void> {
    const names = payloads.map(({ entries }) => entries[0]?.run ?? '');
    await tx.$executeRaw`INSERT INTO effect (name) SELECT unnest(${names}::text[])`;
    await onHandled(names, this.broker);
  }
}

const billing = billingServiceOf({ providers: [Listener], consumes: [subjobsFinished] });
const stream = eventStreamOf('runs');
const consumer = consumerOf('billing', subjobsFinished);

let system: System;
let runs: EventSource;
let listener: RunningService;
beforeAll(async () => {
  system = await startApps([]);
  await system.database.query('CREATE TABLE effect (name text); GRANT ALL ON effect TO PUBLIC');
  runs = await system.sourceOf('runs');
});
beforeEach(async () => {
  listener = await system.start(billing);
});
afterEach(async () => {
  onHandled = () => undefined;
  await listener.close();
});
afterAll(() => system.close());

const payloadOf = (name: string): Payload<typeof subjobsFinished> => ({
  entries: [
    {
      subjob: '1',
      run: name,
      vault: newId(),
      workflow: newId(),
      attempt: 1,
      cpuMs: 0,
      finishedAt: '2026-01-01T00:00:00Z',
    },
  ],
});

const emit = (name: string) => runs.emit(subjobsFinished, payloadOf(name));

const effectsOf = async (name: string): Promise<number> => {
  const rows = await system.database.query('SELECT 1 FROM effect WHERE name = $1', [name]);
  return rows.length;
};

const untilHandled = (name: string) => eventually(async () => expect(await effectsOf(name)).toBeGreaterThan(0));

/** Events are handled in order, so all earlier ones have been handled when this one has. */
async function untilAllHandled(): Promise<void> {
  const marker = `marker ${newId()}`;
  await emit(marker);
  await untilHandled(marker);
}

const outboxIdOf = async (name: string): Promise<string> => {
  const [row] = await system.database.query<{ id: string }>(
    `SELECT id FROM messaging.outbox WHERE payload->'entries'->0->>'run' = $1`,
    [name],
  );
  return String(row?.id);
};

const untilRelayed = () =>
  eventually(async () =>
    expect(await system.database.query('SELECT 1 FROM messaging.outbox WHERE relayed_at IS NULL')).toEqual([]),
  );

describe('an event', () => {
  it('is handled once it is committed', async () => {
    await emit('simple');
    await untilHandled('simple');
  });

  it('is never handled if its transaction is rolled back', async () => {
    const failing = runs.database.transaction(async (tx) => {
      tx.emit(subjobsFinished, payloadOf('rolled back'));
      throw new Error('rolled back on purpose');
    });
    await expect(failing).rejects.toThrow('rolled back on purpose');
    await untilAllHandled();
    expect(await effectsOf('rolled back')).toBe(0);
  });

  it('has its effect once if it is published three times', async () => {
    await emit('thrice');
    await untilHandled('thrice');
    const message = JSON.stringify({ id: await outboxIdOf('thrice'), payload: payloadOf('thrice') });
    // Without a message id, so that the broker does not drop the repetitions itself.
    for (let i = 0; i < 3; i++) await runs.broker.streams.publish(eventSubjectOf(subjobsFinished), message);
    await untilAllHandled();
    expect(await effectsOf('thrice')).toBe(1);
  });

  it('is retried until its handler succeeds, and has its effect once', async () => {
    let failures = 2;
    onHandled = (names) => {
      if (names.includes('hard') && failures-- > 0) throw new Error('not yet');
    };
    await emit('hard');
    await untilHandled('hard');
    await untilAllHandled();
    expect(await effectsOf('hard')).toBe(1);
    expect(failures).toBe(-1);
  });

  it('has its effect once if its consumer dies between commit and acknowledgement', async () => {
    const second = await system.start(billing);
    const broker = new Broker(system.optionsOf('billing'));
    await broker.onModuleInit();
    const manager = await broker.streamManager();
    await manager.consumers.update(stream, consumer, { ack_wait: 500_000_000 });
    let deaths = 0;
    onHandled = async (names, broker) => {
      if (!names.includes('deadly') || ++deaths > 1) return;
      await broker.connection.close();
    };
    await emit('deadly');
    await untilHandled('deadly');
    await eventually(async () => {
      const { num_ack_pending, num_pending, num_redelivered } = await manager.consumers.info(stream, consumer);
      expect({ num_ack_pending, num_pending, num_redelivered }).toEqual({
        num_ack_pending: 0,
        num_pending: 0,
        num_redelivered: 0,
      });
    });
    expect(deaths).toBe(1);
    expect(await effectsOf('deadly')).toBe(1);
    await broker.onApplicationShutdown();
    await second.close();
  });
});

describe('events that arrive together', () => {
  const emitAll = (names: string[]) =>
    runs.database.transaction(async (tx) => {
      for (const name of names) tx.emit(subjobsFinished, payloadOf(name));
    });
  const untilAll = (names: string[]) =>
    eventually(async () => {
      const rows = await system.database.query('SELECT name FROM effect WHERE name = ANY($1)', [names]);
      expect(rows).toHaveLength(names.length);
    });

  it('are handled together, in the order of publication', async () => {
    const names = Array.from({ length: 150 }, (_, i) => `burst ${i}`);
    const batches: string[][] = [];
    onHandled = (some) => void batches.push(some);
    await emitAll(names);
    await untilAll(names);
    expect(batches.flat()).toEqual(names);
    expect(batches.length).toBeLessThanOrEqual(3);
  });

  it('are not delayed by one of them that fails', async () => {
    const names = ['good', 'bad', 'better'];
    const batches: string[][] = [];
    let failures = 2;
    onHandled = (some) => {
      if (some.includes('bad') && failures-- > 0) throw new Error('not yet');
      batches.push(some);
    };
    await untilAllHandled();
    await emitAll(names);
    await untilAll(names);
    expect(batches.at(-1)).toEqual(['bad']);
    for (const name of names) expect(await effectsOf(name)).toBe(1);
  });

  it('have their effect once if two instances get all of them in different orders', async () => {
    const second = await system.start(billing);
    const names = Array.from({ length: 300 }, (_, i) => `shared ${i}`);
    await emitAll(names);
    const messages = await system.database.query<{ id: string; payload: unknown }>(
      `SELECT id, payload FROM messaging.outbox WHERE payload->'entries'->0->>'run' = ANY($1) ORDER BY id DESC`,
      [names],
    );
    const subject = eventSubjectOf(subjobsFinished);
    await Promise.all(messages.map((message) => runs.broker.streams.publish(subject, JSON.stringify(message))));
    await untilAll(names);
    await untilAllHandled();
    await second.close();
  });
});

describe('a service that shuts down', () => {
  it('ends, also if its consumers are still being opened', async () => {
    const opened = new EventEmitter();
    jest.spyOn(EventStreams.prototype, 'ensureConsumer').mockImplementation(async function (
      this: EventStreams,
      ...names
    ) {
      await once(opened, 'closing');
      // The original one, because it is restored by then.
      return this.ensureConsumer(...names);
    });
    const starting = await system.start(billing);
    jest.restoreAllMocks();
    const closed = starting.close();
    opened.emit('closing');
    await closed;
  });

  it('handles the events that arrived before its next batch was due', async () => {
    await emit('first');
    await untilHandled('first');
    await emit('second');
    await listener.close();
    listener = await system.start(billing);
    await untilHandled('second');
  });
});

describe('OutboxRelay', () => {
  it('publishes what a crash left behind when the service starts again', async () => {
    const crashed = new Database({ url: system.database.url, service: 'runs', connections: 1 });
    await runs.close();
    await crashed.transaction(async (tx) => tx.emit(subjobsFinished, payloadOf('left behind')));
    await crashed.close();
    runs = await system.sourceOf('runs');
    await untilHandled('left behind');
  });

  it('publishes what another instance of the service left behind', async () => {
    const crashed = new Database({ url: system.database.url, service: 'runs', connections: 1 });
    await crashed.transaction(async (tx) => tx.emit(subjobsFinished, payloadOf('of another copy')));
    await crashed.close();
    await untilHandled('of another copy');
  });

  it('is not delayed by an unknown event', async () => {
    await runs.database.transaction(async (tx) => {
      tx.emit({ ...subjobsFinished, name: 'runs.tests.unknown' }, payloadOf('unknown'));
      tx.emit(subjobsFinished, payloadOf('beside the unknown'));
    });
    await untilHandled('beside the unknown');
    await eventually(async () => {
      const unrelayed = await system.database.query<{ name: string }>(
        'SELECT name FROM messaging.outbox WHERE relayed_at IS NULL',
      );
      expect(unrelayed).toEqual([{ name: 'runs.tests.unknown' }]);
    });
    await system.database.query(`DELETE FROM messaging.outbox WHERE name = 'runs.tests.unknown'`);
  });
});

describe('a broker that loses its disk', () => {
  it('loses no event that was published but not handled, and none emitted during the outage', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `before ${i}`);
    await listener.close();
    for (const name of names) await emit(name);
    await untilRelayed();
    await system.nats.kill();
    await emit('while it was gone');
    await system.nats.start({ wipe: true });
    await emit('after');
    listener = await system.start(billing);
    for (const name of [...names, 'while it was gone', 'after']) {
      await untilHandled(name);
      expect(await effectsOf(name)).toBe(1);
    }
  });

  it('is detected by running consumers and relays, and no event has its effect twice', async () => {
    await emit('handled before');
    await untilHandled('handled before');
    await system.nats.kill();
    await system.nats.start({ wipe: true });
    await emit('handled after');
    await untilHandled('handled after');
    await untilRelayed();
    await eventually(untilAllHandled);
    const twice = await system.database.query('SELECT name FROM effect GROUP BY name HAVING count(*) > 1');
    expect(twice).toEqual([]);
  });

  it('resumes where it was if it only restarts', async () => {
    await listener.close();
    await emit('kept on disk');
    await untilRelayed();
    await system.nats.kill();
    await system.nats.start();
    listener = await system.start(billing);
    await untilHandled('kept on disk');
  });
});

describe('the id of a request', () => {
  it('travels with the events that its transactions publish', async () => {
    const requests: (string | undefined)[] = [];
    onHandled = () => void requests.push(currentRequestId());
    await withLogFields({ requestId: 'request-1' }, () => emit('traced'));
    await eventually(() => expect(requests).toEqual(['request-1']));
  });

  it('is absent in an event that no request caused, such as one of an earlier version', async () => {
    const requests: (string | undefined)[] = [];
    onHandled = () => void requests.push(currentRequestId());
    await emit('untraced');
    await eventually(() => expect(requests).toEqual([undefined]));
  });
});
