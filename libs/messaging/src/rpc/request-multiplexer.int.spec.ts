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
  // Echoes a request, later the longer its text, and never responds to "nothing".
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

const request = (text: string, timeoutMs = 5_000) => gateway.request(subjectOf(healthChecks.billing), text, timeoutMs);

it('concurrent requests each get their own response', async () => {
  const texts = Array.from({ length: 200 }, (_, n) => `${n} ${'x'.repeat((n * 7) % 20)}`);
  const responses = await Promise.all(texts.map((text) => request(text)));
  expect(responses.map((response) => response.string())).toEqual(texts);
});

it('a request without a response fails at its timeout and delays no other', async () => {
  const late = request('nothing', 100);
  expect((await request('something')).string()).toBe('something');
  await expect(late).rejects.toThrow(TimeoutError);
});

it('a request without a subscriber fails at once', async () => {
  await expect(gateway.request(subjectOf(healthChecks.runs), '', 60_000)).rejects.toThrow(NoRespondersError);
});

it('a forbidden request fails at once and delays no other', async () => {
  const forbidden = gateway.request(subjectOf(prepareVault), '', 60_000);
  expect((await request('something')).string()).toBe('something');
  await expect(forbidden).rejects.toThrow(PermissionViolationError);
});

it('responses arrive again after the broker was down', async () => {
  await system.nats.kill();
  await system.nats.start();
  await eventually(async () => expect((await request('back', 200)).string()).toBe('back'));
});

it('a pending request fails when the connection is closed', async () => {
  const closing = new Broker(system.optionsOf('gateway'));
  await closing.onModuleInit();
  const open = closing.request(subjectOf(healthChecks.billing), 'nothing', 60_000);
  const failed = expect(open).rejects.toThrow(ClosedConnectionError);
  await sleep(50);
  await closing.onApplicationShutdown();
  await failed;
  await expect(closing.request(subjectOf(healthChecks.billing), 'x', 60_000)).rejects.toThrow(ClosedConnectionError);
});
