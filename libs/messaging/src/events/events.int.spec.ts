import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { consumerOf, eventStreamOf, eventSubjectOf, type Payload } from '@millrace/contracts/kit/event';
import { subjobsFinished } from '@millrace/contracts/runs/subjobs';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import type { RunningService } from '@millrace/service/run-until-signal';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { Broker } from '../broker/broker.js';
import { billingServiceOf } from '../testing/billing-service-of.js';
import { EventHandler } from './event-handler.js';

/** What happens besides the effect when events are heard; a test sets it. */
let meanwhile: (names: string[], broker: Broker) => Promise<void> | void = () => undefined;

@Injectable()
class Listener {
  constructor(private readonly broker: Broker) {}

  /** The effect is a row for each time it takes place. The event's name travels as its run. */
  @EventHandler(subjobsFinished)
  async hear(payloads: Payload<typeof subjobsFinished>[], tx: Transaction): Promise<void> {
    const names = payloads.map(({ entries }) => entries[0]?.run ?? '');
    await tx.$executeRaw`INSERT INTO effect (name) SELECT unnest(${names}::text[])`;
    await meanwhile(names, this.broker);
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
  await system.database.query('CREATE TABLE effect (name text)');
  runs = await system.sourceOf('runs');
});
beforeEach(async () => {
  listener = await system.start(billing);
});
afterEach(async () => {
  meanwhile = () => undefined;
  await listener.close();
});
afterAll(() => system.close());

const named = (name: string): Payload<typeof subjobsFinished> => ({
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

const emit = (name: string) => runs.emit(subjobsFinished, named(name));

const effectsOf = async (name: string): Promise<number> => {
  const rows = await system.database.query('SELECT 1 FROM effect WHERE name = $1', [name]);
  return rows.length;
};

const untilHeard = (name: string) => eventually(async () => expect(await effectsOf(name)).toBeGreaterThan(0));

/** Events are heard in order, so what was told before this one has been dealt with once it is heard. */
async function untilAllHeard(): Promise<void> {
  const marker = `marker ${newId()}`;
  await emit(marker);
  await untilHeard(marker);
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
  it('is heard once it is committed', async () => {
    await emit('simple');
    await untilHeard('simple');
  });

  it('emitted in a transaction that is rolled back is never heard', async () => {
    const failing = runs.database.transaction(async (tx) => {
      tx.emit(subjobsFinished, named('rolled back'));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await untilAllHeard();
    expect(await effectsOf('rolled back')).toBe(0);
  });

  it('told three times has its effect once', async () => {
    await emit('thrice');
    await untilHeard('thrice');
    const told = JSON.stringify({ id: await outboxIdOf('thrice'), payload: named('thrice') });
    // Without a message id, so that the broker does not drop the repetitions itself.
    for (let i = 0; i < 3; i++) await runs.broker.streams.publish(eventSubjectOf(subjobsFinished), told);
    await untilAllHeard();
    expect(await effectsOf('thrice')).toBe(1);
  });

  it('whose listener fails is told again until it works, and then has its effect once', async () => {
    let failures = 2;
    meanwhile = (names) => {
      if (names.includes('hard') && failures-- > 0) throw new Error('not yet');
    };
    await emit('hard');
    await untilHeard('hard');
    await untilAllHeard();
    expect(await effectsOf('hard')).toBe(1);
    expect(failures).toBe(-1);
  });

  it('whose listener died between its commit and its acknowledgement has its effect once', async () => {
    const second = await system.start(billing);
    const own = new Broker(system.optionsOf('billing'));
    await own.onModuleInit();
    const manager = await own.streamManager();
    await manager.consumers.update(stream, consumer, { ack_wait: 500_000_000 });
    let deaths = 0;
    meanwhile = async (names, broker) => {
      if (!names.includes('deadly') || ++deaths > 1) return;
      await broker.connection.close();
    };
    await emit('deadly');
    await untilHeard('deadly');
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
    await own.onApplicationShutdown();
    await second.close();
  });
});

describe('events that come together', () => {
  const emitAll = (names: string[]) =>
    runs.database.transaction(async (tx) => {
      for (const name of names) tx.emit(subjobsFinished, named(name));
    });
  const untilAll = (names: string[]) =>
    eventually(async () => {
      const rows = await system.database.query('SELECT name FROM effect WHERE name = ANY($1)', [names]);
      expect(rows).toHaveLength(names.length);
    });

  it('are heard together, in the order in which they were told', async () => {
    const names = Array.from({ length: 150 }, (_, i) => `burst ${i}`);
    const heard: string[][] = [];
    meanwhile = (some) => void heard.push(some);
    await emitAll(names);
    await untilAll(names);
    expect(heard.flat()).toEqual(names);
    expect(heard.length).toBeLessThanOrEqual(3);
  });

  it('do not suffer from one among them that fails', async () => {
    const names = ['good', 'bad', 'better'];
    const heard: string[][] = [];
    let failures = 2;
    meanwhile = (some) => {
      if (some.includes('bad') && failures-- > 0) throw new Error('not yet');
      heard.push(some);
    };
    await untilAllHeard();
    await emitAll(names);
    await untilAll(names);
    expect(heard.at(-1)).toEqual(['bad']);
    for (const name of names) expect(await effectsOf(name)).toBe(1);
  });

  it('have their effect once where two copies are told of all of them in other orders', async () => {
    const second = await system.start(billing);
    const names = Array.from({ length: 300 }, (_, i) => `shared ${i}`);
    await emitAll(names);
    const told = await system.database.query<{ id: string; payload: unknown }>(
      `SELECT id, payload FROM messaging.outbox WHERE payload->'entries'->0->>'run' = ANY($1) ORDER BY id DESC`,
      [names],
    );
    const subject = eventSubjectOf(subjobsFinished);
    await Promise.all(told.map((message) => runs.broker.streams.publish(subject, JSON.stringify(message))));
    await untilAll(names);
    await untilAllHeard();
    await second.close();
  });
});

describe('a service that is ended', () => {
  it('leaves nothing unheard that came before the next batch was due', async () => {
    await emit('first');
    await untilHeard('first');
    await emit('second');
    await listener.close();
    listener = await system.start(billing);
    await untilHeard('second');
  });
});

describe('the relay', () => {
  it('tells what a crash left behind when the service starts again', async () => {
    const crashed = new Database({ url: system.database.url, service: 'runs', connections: 1 });
    await runs.close();
    await crashed.transaction(async (tx) => tx.emit(subjobsFinished, named('left behind')));
    await crashed.close();
    runs = await system.sourceOf('runs');
    await untilHeard('left behind');
  });

  it('tells what another copy of the service left behind', async () => {
    const crashed = new Database({ url: system.database.url, service: 'runs', connections: 1 });
    await crashed.transaction(async (tx) => tx.emit(subjobsFinished, named('of another copy')));
    await crashed.close();
    await untilHeard('of another copy');
  });

  it('is not held up by an event that it does not know', async () => {
    await runs.database.transaction(async (tx) => {
      tx.emit({ ...subjobsFinished, name: 'runs.tests.unknown' }, named('unknown'));
      tx.emit(subjobsFinished, named('beside the unknown'));
    });
    await untilHeard('beside the unknown');
    await eventually(async () => {
      const left = await system.database.query<{ name: string }>(
        'SELECT name FROM messaging.outbox WHERE relayed_at IS NULL',
      );
      expect(left).toEqual([{ name: 'runs.tests.unknown' }]);
    });
    await system.database.query(`DELETE FROM messaging.outbox WHERE name = 'runs.tests.unknown'`);
  });
});

describe('a broker that loses its disk', () => {
  it('loses no event that was told but not yet heard, nor one emitted meanwhile', async () => {
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
      await untilHeard(name);
      expect(await effectsOf(name)).toBe(1);
    }
  });

  it('is noticed by listeners and relays that live on, and nothing has its effect twice', async () => {
    await emit('heard before');
    await untilHeard('heard before');
    await system.nats.kill();
    await system.nats.start({ wipe: true });
    await emit('heard after');
    await untilHeard('heard after');
    await untilRelayed();
    await eventually(untilAllHeard);
    const twice = await system.database.query('SELECT name FROM effect GROUP BY name HAVING count(*) > 1');
    expect(twice).toEqual([]);
  });

  it('that only restarts goes on where it was', async () => {
    await listener.close();
    await emit('kept on disk');
    await untilRelayed();
    await system.nats.kill();
    await system.nats.start();
    listener = await system.start(billing);
    await untilHeard('kept on disk');
  });
});
