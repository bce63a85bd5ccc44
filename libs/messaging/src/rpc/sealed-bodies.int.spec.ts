import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { anyUser } from '@millrace/contracts/kit/access';
import { operation, subjectOf, type Input } from '@millrace/contracts/kit/operation';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { Broker } from '../broker/broker.js';
import { addOperation } from '../testing/add-operation.js';
import { billingServiceOf } from '../testing/billing-service-of.js';
import { OperationHandler } from './operation-handler.js';
import { RpcClient } from './rpc-client.js';

const submitSecret = operation('billing.tests.submit', {
  method: 'POST',
  path: '/tests',
  summary: 'Accepts a secret',
  access: anyUser,
  body: z.strictObject({ secret: z.string() }),
  response: z.object({ length: z.number() }),
  sealed: true,
});
addOperation(submitSecret);

const received: string[] = [];

@Controller()
class SecretsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(submitSecret)
  async accept({ body }: Input<typeof submitSecret>) {
    return this.database.transaction(async () => {
      received.push(body.secret);
      return { length: body.secret.length };
    });
  }
}

let system: System;
beforeAll(async () => {
  system = await startApps([billingServiceOf({ controllers: [SecretsController] })]);
});
afterAll(() => system.close());

const caller = ownerCaller();
const envelope = (body: unknown) => ({
  caller,
  requestId: 'test',
  deadline: Date.now() + 5_000,
  params: {},
  query: {},
  body,
});

async function withClient<T>(secret: string | undefined, work: (rpc: RpcClient) => Promise<T>): Promise<T> {
  const broker = new Broker(system.optionsOf('gateway'));
  await broker.onModuleInit();
  try {
    return await work(new RpcClient(broker, secret === undefined ? {} : { secret }));
  } finally {
    await broker.onApplicationShutdown();
  }
}

it('a sealed body reaches the handler in clear and the broker encrypted differently each time', async () => {
  const sniffer = await withSniffer(async (packets) => {
    for (const _ of [1, 2]) {
      expect(await system.callAs(caller, submitSecret, { body: { secret: 'süß 4111' } })).toEqual({ length: 8 });
    }
    return packets;
  });
  expect(received).toEqual(['süß 4111', 'süß 4111']);
  expect(new Set(sniffer.map(({ data }) => data.body.sealed)).size).toBe(2);
  expect(JSON.stringify(sniffer)).not.toContain('4111');
});

it('a sealed request hides its Idempotency-Key on the broker and in the database', async () => {
  const idempotencyKey = '4242424242424242';
  const submit = () => system.callAs(caller, submitSecret, { body: { secret: 'key' } }, { idempotencyKey });
  received.length = 0;
  const packets = await withSniffer(async (packets) => {
    await Promise.all([submit(), submit()]);
    return packets;
  });
  expect(received).toEqual(['key']);
  expect(packets).toHaveLength(2);
  expect(JSON.stringify(packets)).not.toContain(idempotencyKey);
  const rows = await system.database.query('SELECT * FROM messaging.idempotent_request');
  expect(rows).not.toEqual([]);
  expect(JSON.stringify(rows)).not.toContain(idempotencyKey);
});

/** Records the messages that the service receives, by a second subscription with its credentials. */
async function withSniffer<T>(work: (packets: { data: { body: { sealed: string } } }[]) => Promise<T>): Promise<T> {
  const fakeBilling = await system.fake('billing');
  const packets: { data: { body: { sealed: string } } }[] = [];
  const subscription = fakeBilling.broker.connection.subscribe(subjectOf(submitSecret), {
    callback: (_error, message) => void packets.push(message.json()),
  });
  await fakeBilling.broker.connection.flush();
  try {
    return await work(packets);
  } finally {
    subscription.unsubscribe();
  }
}

it('a sealed request is compared by its content under an Idempotency-Key', async () => {
  const options = { idempotencyKey: newId() };
  const submit = (secret: string) => system.callAs(caller, submitSecret, { body: { secret } }, options);
  received.length = 0;
  await submit('first');
  expect(await submit('first')).toEqual({ length: 5 });
  await expect(submit('other')).rejects.toMatchObject({ code: 'validation_error' });
  expect(received).toEqual(['first']);
});

it('a sealed operation rejects a body in clear or under another secret', async () => {
  received.length = 0;
  await withClient(undefined, async (rpc) => {
    const unsealed = { ...submitSecret, sealed: false };
    const pending = rpc.send(unsealed, envelope({ secret: 'clear' }));
    await expect(pending).rejects.toMatchObject({ code: 'internal_error', message: 'Internal error' });
  });
  await withClient('another secret, also of 32 characters or more', async (rpc) => {
    await expect(rpc.send(submitSecret, envelope({ secret: 'x' }))).rejects.toMatchObject({ code: 'internal_error' });
  });
  expect(received).toEqual([]);
});

it('a sealed request is not sent without a secret', () =>
  withClient(undefined, async (rpc) => {
    await expect(rpc.send(submitSecret, envelope({ secret: 'x' }))).rejects.toThrow('MILLRACE_SECRET');
  }));
