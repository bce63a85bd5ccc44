import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { PermissionViolationError } from '@nats-io/nats-core';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import { eventStreamOf, eventSubjectOf } from '@millrace/contracts/kit/event';
import { healthChecks } from '@millrace/contracts/kit/health';
import { subjectOf } from '@millrace/contracts/kit/operation';
import { SERVICES, type ServiceName } from '@millrace/contracts/kit/service-name';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { events, operations, signals } from '@millrace/contracts/registry';
import { runFinished } from '@millrace/contracts/runs/runs';
import { prepareVault } from '@millrace/contracts/workflows/vaults';
import { eventually } from '@millrace/testkit/eventually';
import { privateNats, type PrivateNats } from '@millrace/testkit/private-nats';
import { connectionOptions } from '../wiring/messaging-options.js';

let nats: PrivateNats;
const users = new Map<ServiceName, { connection: NatsConnection; rejected: Set<string> }>();
beforeAll(async () => {
  nats = await privateNats();
  for (const service of SERVICES) users.set(service, await signIn(service));
});
afterAll(async () => {
  await Promise.all([...users.values()].map(({ connection }) => connection.close()));
  await nats.stop();
});

async function signIn(service: ServiceName) {
  const options = { service, natsUrl: nats.url, natsPassword: nats.passwords[service], redisUrl: '', secret: '' };
  const connection = await connect(connectionOptions({ ...options, checkResponses: true }));
  const rejected = new Set<string>();
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        rejected.add(status.error.subject);
    }
  })();
  return { connection, rejected };
}

function user(service: ServiceName) {
  const found = users.get(service);
  if (!found) throw new Error(`${service} is not signed in`);
  return found;
}

/**
 * Returns the subjects that the broker lets a service publish on. The broker rejects in order, so a forbidden subject
 * at the end marks the end.
 */
async function publishable(service: ServiceName, subjects: string[]): Promise<string[]> {
  const { connection, rejected } = user(service);
  rejected.clear();
  for (const subject of [...subjects, 'forbidden.subject']) connection.publish(subject, '{}');
  await eventually(() => expect(rejected).toContain('forbidden.subject'));
  return subjects.filter((subject) => !rejected.has(subject));
}

async function subscribable(service: ServiceName, subjects: string[]): Promise<string[]> {
  const { connection } = user(service);
  const rejected = new Set<string>();
  const open = subjects.map((subject) =>
    connection.subscribe(subject, { callback: (error) => void (error && rejected.add(subject)) }),
  );
  await connection.flush();
  for (const subscription of open) subscription.unsubscribe();
  return subjects.filter((subject) => !rejected.has(subject));
}

const others = (service: ServiceName) => SERVICES.filter((other) => other !== service);

describe('a connection to the broker', () => {
  it.each([{}, { user: 'gateway', pass: 'guess' }, { user: 'unknown', pass: 'guess' }])(
    'is rejected with %j',
    async (as) => {
      await expect(connect({ servers: nats.url, reconnect: false, ...as })).rejects.toThrow(/authorization/i);
    },
  );
});

describe.each(SERVICES.map((service) => [service] as const))('%s', (service) => {
  it('calls only operations that list it as a caller, or those of the REST API if it is the gateway', async () => {
    const callable = operations.filter(({ access }) =>
      access.kind === 'internal' ? access.callers.includes(service) : service === 'gateway',
    );
    const subjects = operations.map(subjectOf);
    expect(await publishable(service, subjects)).toEqual(
      subjects.filter((subject) => callable.map(subjectOf).includes(subject)),
    );
  });

  it('publishes only its own events and signals', async () => {
    const eventSubjects = events.map((event) => ({ subject: eventSubjectOf(event), isOwn: event.source === service }));
    const signalSubjects = signals.map(({ subject, from }) => ({ subject, isOwn: from.includes(service) }));
    const all = [...eventSubjects, ...signalSubjects];
    expect(
      await publishable(
        service,
        all.map(({ subject }) => subject),
      ),
    ).toEqual(all.filter(({ isOwn }) => isOwn).map(({ subject }) => subject));
  });

  it('subscribes only to its own operations', async () => {
    const subjects = operations.map(subjectOf);
    const own = operations.filter((operation) => operation.service === service).map(subjectOf);
    expect(await subscribable(service, subjects)).toEqual(own);
    expect(await subscribable(service, ['>', 'rpc.>', 'rpc.*.*.*', 'evt.>', 'sig.>', '$JS.>'])).toEqual([]);
  });

  it('reads only its own responses and publishes to no other inbox', async () => {
    const inboxes = others(service).map((other) => `_INBOX_${other}.>`);
    expect(await subscribable(service, [...inboxes, '_INBOX.>', '_INBOX_*.>'])).toEqual([]);
    expect(await subscribable(service, [`_INBOX_${service}.abc`])).toEqual([`_INBOX_${service}.abc`]);
    expect(
      await publishable(
        service,
        others(service).map((other) => `_INBOX_${other}.abc.1`),
      ),
    ).toEqual([]);
  });

  it('cannot access streams that it neither fills nor reads', async () => {
    const ownEvents = events.filter((event) => event.source === service || event.consumers.includes(service));
    const streams = new Set(ownEvents.map((event) => eventStreamOf(event.source)));
    const foreign = SERVICES.map(eventStreamOf).filter(
      (stream) => stream !== eventStreamOf(service) && !streams.has(stream),
    );
    const verbs = ['STREAM.INFO', 'STREAM.CREATE', 'STREAM.MSG.GET', 'STREAM.DELETE', 'STREAM.PURGE'];
    const subjects = foreign.flatMap((stream) => verbs.map((verb) => `$JS.API.${verb}.${stream}`));
    const changing = SERVICES.filter((other) => other !== service).map(
      (other) => `$JS.API.STREAM.UPDATE.${eventStreamOf(other)}`,
    );
    const destroying = SERVICES.map(eventStreamOf).flatMap((stream) => [
      `$JS.API.STREAM.DELETE.${stream}`,
      `$JS.API.STREAM.PURGE.${stream}`,
      `$JS.API.STREAM.MSG.GET.${stream}`,
    ]);
    expect(await publishable(service, [...subjects, ...changing, ...destroying])).toEqual([]);
  });
});

describe('NATS permissions', () => {
  it('mean that the notifications service can neither call an operation nor fake the end of a run', async () => {
    const subjects = [subjectOf(listNotifications), subjectOf(prepareVault), eventSubjectOf(runFinished)];
    expect(await publishable('notifications', subjects)).toEqual([]);
  });

  it('mean that only auth can publish new vaults and have them prepared', async () => {
    for (const service of SERVICES) {
      const expected = service === 'auth' ? [eventSubjectOf(vaultCreated), subjectOf(prepareVault)] : [];
      expect(await publishable(service, [eventSubjectOf(vaultCreated), subjectOf(prepareVault)])).toEqual(expected);
    }
  });

  it('let a called service respond to an inbox to which it could not publish otherwise', async () => {
    const subject = subjectOf(healthChecks.billing);
    const { connection } = user('billing');
    const subscription = connection.subscribe(subject, { callback: (_, message) => void message.respond('well') });
    await connection.flush();
    const response = await user('gateway').connection.request(subject, '', { timeout: 2_000 });
    expect(response.string()).toBe('well');
    subscription.unsubscribe();
  });

  it('do not let the worker create an event stream', async () => {
    const manager = await jetstreamManager(user('worker').connection, { checkAPI: false, timeout: 500 });
    await expect(manager.streams.add({ name: eventStreamOf('runs'), subjects: ['evt.runs.>'] })).rejects.toThrow();
  });
});
