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
const users = new Map<ServiceName, { connection: NatsConnection; refused: Set<string> }>();
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
  const refused = new Set<string>();
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        refused.add(status.error.subject);
    }
  })();
  return { connection, refused };
}

function user(service: ServiceName) {
  const found = users.get(service);
  if (!found) throw new Error(`${service} is not signed in`);
  return found;
}

/** Which of these subjects the broker lets a service publish on. It refuses in order, one that nobody may last. */
async function publishable(service: ServiceName, subjects: string[]): Promise<string[]> {
  const { connection, refused } = user(service);
  refused.clear();
  for (const subject of [...subjects, 'nobody.may']) connection.publish(subject, '{}');
  await eventually(() => expect(refused).toContain('nobody.may'));
  return subjects.filter((subject) => !refused.has(subject));
}

async function subscribable(service: ServiceName, subjects: string[]): Promise<string[]> {
  const { connection } = user(service);
  const refused = new Set<string>();
  const open = subjects.map((subject) =>
    connection.subscribe(subject, { callback: (error) => void (error && refused.add(subject)) }),
  );
  await connection.flush();
  for (const subscription of open) subscription.unsubscribe();
  return subjects.filter((subject) => !refused.has(subject));
}

const others = (service: ServiceName) => SERVICES.filter((other) => other !== service);

describe('signing in at the broker', () => {
  it.each([{}, { user: 'gateway', pass: 'guess' }, { user: 'nobody', pass: 'guess' }])(
    'is refused with %j',
    async (as) => {
      await expect(connect({ servers: nats.url, reconnect: false, ...as })).rejects.toThrow(/authorization/i);
    },
  );
});

describe.each(SERVICES.map((service) => [service] as const))('%s', (service) => {
  it('asks only the operations that name it as caller, or those of the API if it is the gateway', async () => {
    const may = operations.filter(({ access }) =>
      access.kind === 'internal' ? access.callers.includes(service) : service === 'gateway',
    );
    const subjects = operations.map(subjectOf);
    expect(await publishable(service, subjects)).toEqual(
      subjects.filter((subject) => may.map(subjectOf).includes(subject)),
    );
  });

  it('tells no event and no signal but its own', async () => {
    const told = events.map((event) => ({ subject: eventSubjectOf(event), isOwn: event.source === service }));
    const signalled = signals.map(({ subject, from }) => ({ subject, isOwn: from.includes(service) }));
    const all = [...told, ...signalled];
    expect(
      await publishable(
        service,
        all.map(({ subject }) => subject),
      ),
    ).toEqual(all.filter(({ isOwn }) => isOwn).map(({ subject }) => subject));
  });

  it('answers no operation but its own, and listens in on none', async () => {
    const subjects = operations.map(subjectOf);
    const own = operations.filter((operation) => operation.service === service).map(subjectOf);
    expect(await subscribable(service, subjects)).toEqual(own);
    expect(await subscribable(service, ['>', 'rpc.>', 'rpc.*.*.*', 'evt.>', 'sig.>', '$JS.>'])).toEqual([]);
  });

  it("reads its own answers and nobody else's, and writes into no one's inbox", async () => {
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

  it('has no say over streams and consumers that do not concern it', async () => {
    const concerned = events.filter((event) => event.source === service || event.consumers.includes(service));
    const streams = new Set(concerned.map((event) => eventStreamOf(event.source)));
    const foreign = SERVICES.map(eventStreamOf).filter(
      (stream) => stream !== eventStreamOf(service) && !streams.has(stream),
    );
    const verbs = ['STREAM.INFO', 'STREAM.CREATE', 'STREAM.MSG.GET', 'STREAM.DELETE', 'STREAM.PURGE'];
    const subjects = foreign.flatMap((stream) => verbs.map((verb) => `$JS.API.${verb}.${stream}`));
    const destroying = SERVICES.map(eventStreamOf).flatMap((stream) => [
      `$JS.API.STREAM.DELETE.${stream}`,
      `$JS.API.STREAM.PURGE.${stream}`,
      `$JS.API.STREAM.MSG.GET.${stream}`,
    ]);
    expect(await publishable(service, [...subjects, ...destroying])).toEqual([]);
  });
});

describe('to name some', () => {
  it('notifications can neither ask for anything nor make up the end of a run', async () => {
    const subjects = [subjectOf(listNotifications), subjectOf(prepareVault), eventSubjectOf(runFinished)];
    expect(await publishable('notifications', subjects)).toEqual([]);
  });

  it('only auth makes up vaults, and only auth has them prepared', async () => {
    for (const service of SERVICES) {
      const expected = service === 'auth' ? [eventSubjectOf(vaultCreated), subjectOf(prepareVault)] : [];
      expect(await publishable(service, [eventSubjectOf(vaultCreated), subjectOf(prepareVault)])).toEqual(expected);
    }
  });

  it('who is asked may answer, though it could not write into that inbox by itself', async () => {
    const subject = subjectOf(healthChecks.billing);
    const { connection } = user('billing');
    const answering = connection.subscribe(subject, { callback: (_, message) => void message.respond('well') });
    await connection.flush();
    const answer = await user('gateway').connection.request(subject, '', { timeout: 2_000 });
    expect(answer.string()).toBe('well');
    answering.unsubscribe();
  });

  it('the worker fills no event stream', async () => {
    const manager = await jetstreamManager(user('worker').connection, { checkAPI: false, timeout: 500 });
    await expect(manager.streams.add({ name: eventStreamOf('runs'), subjects: ['evt.runs.>'] })).rejects.toThrow();
  });
});
