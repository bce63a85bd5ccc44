import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mailNotification, sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { runFinished } from '@millrace/contracts/runs/runs';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { promoteRetries } from '@millrace/testkit/promote-retries';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { fakeContacts, type FakeContacts } from '../../testing/fake-contacts.js';
import { startMailServer, type Reaction } from '../../testing/mail-server.js';
import { runEnd } from '../../testing/run-end.js';

let system: System;
let auth: EventSource;
let runs: EventSource;
let contacts: FakeContacts;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  system = await startApps([]);
  auth = await system.sourceOf('auth');
  runs = await system.sourceOf('runs');
  contacts = fakeContacts(await system.fake('auth'));
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});
afterAll(() => system.close());

async function startNotifications(url: string): Promise<{ close(): Promise<void> }> {
  const notifications = await system.start(start, { SMTP_URL: url });
  open.push(notifications);
  return notifications;
}

/** A mail server that responds to its first mail on demand and counts the connections that clients closed. */
async function startSlowServer() {
  const response = Promise.withResolvers<Reaction>();
  let closed = 0;
  const server = await startMailServer([response.promise], { onClose: () => void closed++ });
  open.push({ close: async () => response.resolve('accept') }, server);
  return {
    ...server,
    respond: () => response.resolve('accept'),
    closed: () => closed,
    untilReceiving: (tries = 1) => eventually(() => expect(server.tries()).toBe(tries)),
    untilAccepted: () => eventually(() => expect(server.accepted).toHaveLength(1)),
  };
}

async function enqueue(id = newId()): Promise<string> {
  const content: MailContent = {
    template: 'password_reset',
    to: 'a@x.org',
    name: 'A',
    link: 'https://m.example/reset',
  };
  const cipher = new SecretCipher(String(system.env['MILLRACE_SECRET']), 'mail');
  const sealed = Buffer.from(cipher.encrypt(JSON.stringify(content))).toString('base64');
  await auth.database.transaction(async (tx) => tx.enqueue(sendMail, { id, sealed }));
  return id;
}

interface Row {
  lease: string | null;
  /** Remaining seconds of the lease; null if the mail was sent. */
  remaining: number | null;
}

async function rowOf(id: string): Promise<Row | undefined> {
  const [row] = await system.database.query<Row>(
    `SELECT lease, extract(epoch FROM held_until - now())::float8 AS remaining FROM notifications.sent_mail WHERE id = $1`,
    [id],
  );
  return row;
}

const untilSent = (id: string) =>
  eventually(async () => expect(await rowOf(id)).toEqual({ lease: null, remaining: null }));
const untilBlocked = (id: string) =>
  eventually(async () => {
    const { lease, remaining } = (await rowOf(id)) ?? {};
    expect(lease).toBeNull();
    expect(remaining).toBeGreaterThan(3_000);
  });
const endLease = (id: string) =>
  system.database.query('UPDATE notifications.sent_mail SET held_until = now() WHERE id = $1', [id]);
const retry = (job: typeof sendMail | typeof mailNotification = sendMail) =>
  promoteRetries(job, String(system.env['REDIS_URL']));

/** Runs the waiting jobs twice, which find the mail leased and wait again. */
async function retryWithoutEffect(job: typeof sendMail | typeof mailNotification): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    await eventually(async () => expect(await retry(job)).toBeGreaterThan(0));
  }
}

describe('a mail to a slow server', () => {
  it('has a committed lease that keeps other processes away, and is sent once', async () => {
    const server = await startSlowServer();
    await startNotifications(server.url);
    await startNotifications(server.url);
    const id = await enqueue();
    await server.untilReceiving();
    const { lease, remaining } = (await rowOf(id)) ?? {};
    expect(lease).not.toBeNull();
    // Another process can take over from a crashed sender within a minute.
    expect(remaining).toBeLessThanOrEqual(30);
    await enqueue(id);
    await retryWithoutEffect(sendMail);
    server.respond();
    await untilSent(id);
    await eventually(async () => expect(await retry()).toBe(0));
    expect(server.accepted).toHaveLength(1);
    expect(server.tries()).toBe(1);
  });

  it('has a lease that is renewed', async () => {
    const server = await startSlowServer();
    await startNotifications(server.url);
    const id = await enqueue();
    await server.untilReceiving();
    await system.database.query(
      `UPDATE notifications.sent_mail SET held_until = now() + interval '12 seconds' WHERE id = $1`,
      [id],
    );
    await eventually(async () => expect((await rowOf(id))?.remaining).toBeGreaterThan(20));
    server.respond();
    await untilSent(id);
  });

  it('is aborted if another process has the lease', async () => {
    const server = await startSlowServer();
    await startNotifications(server.url);
    const id = await enqueue();
    await server.untilReceiving();
    const other = newId();
    await system.database.query(
      `UPDATE notifications.sent_mail SET lease = $2, held_until = now() + interval '1 day' WHERE id = $1`,
      [id, other],
    );
    await eventually(() => expect(server.closed()).toBe(1));
    expect(await rowOf(id)).toMatchObject({ lease: other });
    await system.database.query('DELETE FROM notifications.sent_mail');
    await eventually(async () => expect(await retry()).toBeGreaterThan(0));
    await untilSent(id);
  });
});

describe('a mail that the server did not confirm', () => {
  it('is retried after an hour', async () => {
    const server = await startSlowServer();
    await startNotifications(`${server.url}?socketTimeout=300`);
    const id = await enqueue();
    await untilBlocked(id);
    await retryWithoutEffect(sendMail);
    expect(server.tries()).toBe(1);
    await endLease(id);
    await retry();
    await untilSent(id);
    expect(server.accepted[0]?.mail.messageId).toContain(id);
  });

  it('stays pending until then if it is the mail of a notification', async () => {
    const server = await startSlowServer();
    await startNotifications(`${server.url}?socketTimeout=300`);
    const author = ownerCaller();
    contacts.add(author);
    await runs.emit(runFinished, runEnd(author, { status: 'FAILED' }));
    await server.untilReceiving();
    const [row] = await system.database.query<{ id: string }>('SELECT id FROM notifications.pending_mail');
    const id = row?.id ?? '';
    await untilBlocked(id);
    await retryWithoutEffect(mailNotification);
    expect(server.tries()).toBe(1);
    await endLease(id);
    await retry(mailNotification);
    await untilSent(id);
    expect(await system.database.query('SELECT id FROM notifications.pending_mail')).toEqual([]);
  });

  it('is also blocked if the service shuts down before a confirmation', async () => {
    const server = await startSlowServer();
    const notifications = await startNotifications(server.url);
    const id = await enqueue();
    await server.untilReceiving();
    await notifications.close();
    await untilBlocked(id);
    await startNotifications(server.url);
    await retryWithoutEffect(sendMail);
    expect(server.tries()).toBe(1);
    await endLease(id);
    await retry();
    await untilSent(id);
  });
});

it('a mail whose sender crashed is sent when the lease has ended', async () => {
  const server = await startMailServer();
  open.push(server);
  const id = newId();
  await system.database.query(
    `INSERT INTO notifications.sent_mail (id, lease, held_until) VALUES ($1, $2, now() + interval '3 seconds')`,
    [id, newId()],
  );
  await startNotifications(server.url);
  await enqueue(id);
  await eventually(() => expect(server.accepted).toHaveLength(1));
  await untilSent(id);
});
