import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventStreamOf } from '@millrace/contracts/kit/event';
import { newId } from '@millrace/persistence/ids';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { billingServiceOf } from '../testing/billing-service-of.js';
import { connectionOptions } from '../wiring/messaging-options.js';

const billing = billingServiceOf({});
let system: System;
let connection: NatsConnection;
beforeAll(async () => {
  system = await startApps([]);
  // At its first start it publishes all events of the outbox again, because the stream is new.
  await (await system.start(billing)).close();
  connection = await connect(connectionOptions(system.optionsOf('billing')));
});
afterAll(async () => {
  await connection.close();
  await system.close();
});

const HOUR_MS = 3_600_000;
const idsIn = async (table: string, column: string) => {
  const rows = await system.database.query<{ id: string }>(`SELECT ${column}::text AS id FROM messaging.${table}`);
  return rows.map(({ id }) => id);
};

it('events, inbox entries and stored responses are deleted after their time, and unpublished events stay', async () => {
  const [fresh, old, unpublished, seen, forgotten] = Array.from({ length: 5 }, newId);
  const query = (sql: string, values: unknown[]) => system.database.query(sql, values);
  const addEvent = (id: string, hours: number, relayed: boolean) =>
    query(
      `INSERT INTO messaging.outbox (id, service, kind, name, payload, created_at, relayed_at)
       SELECT $1, 'billing', 'event', 'billing.tests.unknown', '{}', at, CASE WHEN $3 THEN at END
       FROM (SELECT now() - $2 * interval '1 hour' AS at) t`,
      [id, hours, relayed],
    );
  await addEvent(fresh!, 1, true);
  await addEvent(old!, 3, true);
  await addEvent(unpublished!, 3, false);
  for (const [event, hours] of [
    [seen, 5],
    [forgotten, 7],
  ]) {
    await query(`INSERT INTO messaging.inbox VALUES ('billing_x', $1, now() - $2 * interval '1 hour')`, [event, hours]);
  }
  for (const [key, hours] of [
    ['new', 23],
    ['old', 25],
  ]) {
    await query(
      `INSERT INTO messaging.idempotent_request (owner, operation, key, request_hash, locked_until, created_at)
       VALUES ('o', 'billing.p', $1, '', now(), now() - $2 * interval '1 hour')`,
      [key, hours],
    );
  }
  const service = await system.start(billing, { EVENT_RETENTION_HOURS: '2' });
  await eventually(async () => {
    expect((await idsIn('outbox', 'id')).sort()).toEqual([fresh, unpublished].sort());
    expect(await idsIn('inbox', 'event')).toEqual([seen]);
    expect(await idsIn('idempotent_request', 'key')).toEqual(['new']);
  });
  await service.close();
});

it('a batch that is full is followed by another one', async () => {
  await system.database.query(
    `INSERT INTO messaging.outbox (id, service, kind, name, payload, created_at, relayed_at)
     SELECT gen_random_uuid(), 'billing', 'event', 'billing.tests.many', '{}', now() - interval '3 hours', now() - interval '3 hours'
     FROM generate_series(1, 10001)`,
  );
  const service = await system.start(billing, { EVENT_RETENTION_HOURS: '2' });
  await eventually(async () => {
    expect(await system.database.query(`SELECT 1 FROM messaging.outbox WHERE name = 'billing.tests.many'`)).toEqual([]);
  });
  await service.close();
});

it('the stream of a service stores events as long, also after the setting has changed', async () => {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  for (const hours of [168, 2, 0.05]) {
    const service = await system.start(billing, { EVENT_RETENTION_HOURS: String(hours) });
    await eventually(async () => {
      const { config } = await manager.streams.info(eventStreamOf('billing'));
      expect(config.max_age / 1_000_000).toBe(hours * HOUR_MS);
      expect(config.duplicate_window).toBeLessThanOrEqual(config.max_age);
    });
    await service.close();
  }
});
