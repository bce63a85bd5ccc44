import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ClosedConnectionError, NoRespondersError, PermissionViolationError, TimeoutError } from '@nats-io/nats-core';
import { healthChecks } from '@millrace/contracts/kit/health';
import { subjectOf } from '@millrace/contracts/kit/operation';
import { prepareVault } from '@millrace/contracts/workflows/vaults';
import { eventually } from '@millrace/testkit/eventually';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { Broker } from '../broker/broker.js';

let system: System;
let gateway: Broker;
let billing: Broker;
beforeAll(async () => {
  system = await startApps([]);
  [gateway, billing] = [new Broker(system.optionsOf('gateway')), new Broker(system.optionsOf('billing'))];
  await Promise.all([gateway.onModuleInit(), billing.onModuleInit()]);
  // Says back what it is asked, later the longer the text, and never to "nothing".
  billing.connection.subscribe(subjectOf(healthChecks.billing), {
    callback: (_, message) => {
      const text = message.string();
      if (text !== 'nothing') void sleep(text.length).then(() => message.respond(text));
    },
  });
  await billing.connection.flush();
});
afterAll(async () => {
  await Promise.all([gateway.onApplicationShutdown(), billing.onApplicationShutdown()]);
  await system.close();
});

const ask = (text: string, timeoutMs = 5_000) => gateway.request(subjectOf(healthChecks.billing), text, timeoutMs);

it('questions asked together each get their own answer', async () => {
  const texts = Array.from({ length: 200 }, (_, n) => `${n} ${'x'.repeat((n * 7) % 20)}`);
  const answers = await Promise.all(texts.map((text) => ask(text)));
  expect(answers.map((answer) => answer.string())).toEqual(texts);
});

it('a question without an answer fails at its time, and holds up no other', async () => {
  const late = ask('nothing', 100);
  expect((await ask('something')).string()).toBe('something');
  await expect(late).rejects.toThrow(TimeoutError);
});

it('a question that nobody is there for fails at once', async () => {
  await expect(gateway.request(subjectOf(healthChecks.runs), '', 60_000)).rejects.toThrow(NoRespondersError);
});

it('a question that may not be asked fails at once, and holds up no other', async () => {
  const forbidden = gateway.request(subjectOf(prepareVault), '', 60_000);
  expect((await ask('something')).string()).toBe('something');
  await expect(forbidden).rejects.toThrow(PermissionViolationError);
});

it('answers are heard again after the broker was away', async () => {
  await system.nats.kill();
  await system.nats.start();
  await eventually(async () => expect((await ask('back', 200)).string()).toBe('back'));
});

it('a question that is open when the connection is closed fails with it', async () => {
  const own = new Broker(system.optionsOf('gateway'));
  await own.onModuleInit();
  const open = own.request(subjectOf(healthChecks.billing), 'nothing', 60_000);
  const failed = expect(open).rejects.toThrow(ClosedConnectionError);
  await sleep(50);
  await own.onApplicationShutdown();
  await failed;
  await expect(own.request(subjectOf(healthChecks.billing), 'x', 60_000)).rejects.toThrow(ClosedConnectionError);
});
