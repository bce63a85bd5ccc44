import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mailNotification, sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { runFinished } from '@millrace/contracts/runs/runs';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { retryNow } from '@millrace/testkit/retry-now';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { playContacts, type PlayedContacts } from '../../testing/fake-contacts.js';
import { startMailServer, type Reaction } from '../../testing/mail-server.js';
import { runEnd } from '../../testing/run-end.js';

let system: System;
let auth: EventSource;
let runs: EventSource;
let contacts: PlayedContacts;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  system = await startApps([]);
  auth = await system.sourceOf('auth');
  runs = await system.sourceOf('runs');
  contacts = playContacts(await system.play('auth'));
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
afterAll(() => system.close());

async function startNotifications(url: string): Promise<{ close(): Promise<void> }> {
  const notifications = await system.start(start, { SMTP_URL: url });
  open.push(notifications);
  return notifications;
}

/** A mail server that answers its first mail when it is told to, and closes connections that others have left. */
async function startSlowServer() {
  const answer = Promise.withResolvers<Reaction>();
  let closed = 0;
  const server = await startMailServer([answer.promise], { onClose: () => void closed++ });
  open.push({ close: async () => answer.resolve('accept') }, server);
  return {
    ...server,
    answer: () => answer.resolve('accept'),
    closed: () => closed,
    untilAsked: (tries = 1) => eventually(() => expect(server.tries()).toBe(tries)),
    untilTaken: () => eventually(() => expect(server.accepted).toHaveLength(1)),
  };
}

async function order(id = newId()): Promise<string> {
  const content: MailContent = {
    template: 'password_reset',
    to: 'a@x.org',
    name: 'A',
    link: 'https://m.example/reset',
  };
  const seal = new SecretCipher(String(system.env['MILLRACE_SECRET']), 'mail');
  const sealed = Buffer.from(seal.encrypt(JSON.stringify(content))).toString('base64');
  await auth.database.transaction(async (tx) => tx.enqueue(sendMail, { id, sealed }));
  return id;
}

interface Row {
  lease: string | null;
  /** Seconds for which nobody else may try; null where it is sent. */
  held: number | null;
}

async function rowOf(id: string): Promise<Row | undefined> {
  const [row] = await system.database.query<Row>(
    `SELECT lease, extract(epoch FROM held_until - now())::float8 AS held FROM notifications.sent_mail WHERE id = $1`,
    [id],
  );
  return row;
}

const untilSent = (id: string) => eventually(async () => expect(await rowOf(id)).toEqual({ lease: null, held: null }));
const untilLeftAlone = (id: string) =>
  eventually(async () => {
    const { lease, held } = (await rowOf(id)) ?? {};
    expect(lease).toBeNull();
    expect(held).toBeGreaterThan(3_000);
  });
const makeDue = (id: string) =>
  system.database.query('UPDATE notifications.sent_mail SET held_until = now() WHERE id = $1', [id]);
const retry = (job: typeof sendMail | typeof mailNotification = sendMail) =>
  retryNow(job, String(system.env['REDIS_URL']));

/** What waits has had its turn, and waits again. */
async function tryInVain(job: typeof sendMail | typeof mailNotification): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await eventually(async () => expect(await retry(job)).toBeGreaterThan(0));
  }
}

describe('a mail that the server takes its time over', () => {
  it('is nobody else’s meanwhile, which is committed, and is sent once', async () => {
    const server = await startSlowServer();
    await startNotifications(server.url);
    await startNotifications(server.url);
    const id = await order();
    await server.untilAsked();
    const { lease, held } = (await rowOf(id)) ?? {};
    expect(lease).not.toBeNull();
    // A sender that dies is replaced within a minute.
    expect(held).toBeLessThanOrEqual(30);
    await order(id);
    await tryInVain(sendMail);
    server.answer();
    await untilSent(id);
    await eventually(async () => expect(await retry()).toBe(0));
    expect(server.accepted).toHaveLength(1);
    expect(server.tries()).toBe(1);
  });

  it('has its lease renewed', async () => {
    const server = await startSlowServer();
    await startNotifications(server.url);
    const id = await order();
    await server.untilAsked();
    await system.database.query(
      `UPDATE notifications.sent_mail SET held_until = now() + interval '12 seconds' WHERE id = $1`,
      [id],
    );
    await eventually(async () => expect((await rowOf(id))?.held).toBeGreaterThan(20));
    server.answer();
    await untilSent(id);
  });

  it('is broken off where another process has it', async () => {
    const server = await startSlowServer();
    await startNotifications(server.url);
    const id = await order();
    await server.untilAsked();
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

describe('a mail that went out without an answer', () => {
  it('is tried again after an hour', async () => {
    const server = await startSlowServer();
    await startNotifications(`${server.url}?socketTimeout=300`);
    const id = await order();
    await untilLeftAlone(id);
    await tryInVain(sendMail);
    expect(server.tries()).toBe(1);
    await makeDue(id);
    await retry();
    await untilSent(id);
    expect(server.accepted[0]?.mail.messageId).toContain(id);
  });

  it('pends until then, where it is of a notification', async () => {
    const server = await startSlowServer();
    await startNotifications(`${server.url}?socketTimeout=300`);
    const author = ownerCaller();
    contacts.add(author);
    await runs.emit(runFinished, runEnd(author, { status: 'FAILED' }));
    await server.untilAsked();
    const [row] = await system.database.query<{ id: string }>('SELECT id FROM notifications.pending_mail');
    const id = row?.id ?? '';
    await untilLeftAlone(id);
    await tryInVain(mailNotification);
    expect(server.tries()).toBe(1);
    await makeDue(id);
    await retry(mailNotification);
    await untilSent(id);
    expect(await system.database.query('SELECT id FROM notifications.pending_mail')).toEqual([]);
  });

  it('is left alone, too, where the service ends meanwhile', async () => {
    const server = await startSlowServer();
    const notifications = await startNotifications(server.url);
    const id = await order();
    await server.untilAsked();
    await notifications.close();
    await untilLeftAlone(id);
    await startNotifications(server.url);
    await tryInVain(sendMail);
    expect(server.tries()).toBe(1);
    await makeDue(id);
    await retry();
    await untilSent(id);
  });
});

it('a mail whose sender died is sent when its lease is over', async () => {
  const server = await startMailServer();
  open.push(server);
  const id = newId();
  await system.database.query(
    `INSERT INTO notifications.sent_mail (id, lease, held_until) VALUES ($1, $2, now() + interval '3 seconds')`,
    [id, newId()],
  );
  await startNotifications(server.url);
  await order(id);
  await eventually(() => expect(server.accepted).toHaveLength(1));
  await untilSent(id);
});
