import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { SMTPServerOptions } from 'smtp-server';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { mailNotification } from '@millrace/contracts/notifications/mail';
import {
  getNotificationConfig,
  resumeMail,
  updateNotificationConfig,
  type ConfigChange,
} from '@millrace/contracts/notifications/notification-config';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import { runFinished } from '@millrace/contracts/runs/runs';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { promoteRetries } from '@millrace/testkit/promote-retries';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { fakeContacts, type FakeContacts } from '../testing/fake-contacts.js';
import { startMailServer, type MailServer, type Reaction } from '../testing/mail-server.js';
import { runEnd } from '../testing/run-end.js';

let system: System;
let runs: EventSource;
let contacts: FakeContacts;
let author: Caller;
let address: string;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  system = await startApps([]);
  runs = await system.sourceOf('runs');
  contacts = fakeContacts(await system.fake('auth'));
});
beforeEach(() => {
  author = ownerCaller();
  address = contacts.add(author);
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});
afterAll(() => system.close());

/** A mail server, and copies of the service that use it. */
async function withMailServer(reactions: Reaction[] = [], options: SMTPServerOptions = {}, copies = 1) {
  const server = await startMailServer(reactions, options);
  open.push(server);
  const env = { SMTP_URL: server.url, PUBLIC_URL: 'https://m.example/', MAIL_FROM: 'Mill <mill@m.example>' };
  for (let copy = 0; copy < copies; copy++) open.push(await system.start(start, env));
  return server;
}

const fail = (caller = author, run = '7') => runs.emit(runFinished, runEnd(caller, { run, status: 'FAILED' }));
const configure = (change: ConfigChange, caller = author) =>
  system.callAs(caller, updateNotificationConfig, { body: { config: JSON.stringify(change) } });
const mailsTo = (server: MailServer, recipient: string) =>
  server.accepted.filter(({ recipients }) => recipients.includes(recipient)).map(({ mail }) => mail);
const untilSent = (server: MailServer, recipient: string, count = 1) =>
  eventually(() => expect(mailsTo(server, recipient)).toHaveLength(count));
const untilStored = (caller: Caller, count: number) =>
  eventually(async () => expect((await system.callAs(caller, listNotifications)).count).toBe(count));
const retry = () => promoteRetries(mailNotification, String(system.env['REDIS_URL']));
const retryOnce = () => eventually(async () => expect(await retry()).toBe(1));
const pausedAs = async (caller = author) => (await system.callAs(caller, getNotificationConfig)).email_paused;

/** Sends five marker mails one after the other; all mails enqueued before have been attempted by then. */
async function untilAllTried(server: MailServer): Promise<void> {
  const marker = ownerCaller();
  const to = contacts.add(marker);
  for (let number = 1; number <= 5; number++) {
    await fail(marker, String(number));
    await untilSent(server, to, number);
  }
}

describe('the mail of a notification', () => {
  it('has the same content, a link to the run, and the id of the notification', async () => {
    const server = await withMailServer();
    await fail();
    await untilSent(server, address);
    const [mail] = mailsTo(server, address);
    const [notification] = (await system.callAs(author, listNotifications)).results;
    expect(mail).toMatchObject({ subject: 'Port scan failed', messageId: `<${notification?.id}@m.example>` });
    for (const text of [mail?.text, mail?.html]) expect(text).toContain('https://m.example/runs/7');
    expect(mail?.text).toContain(notification?.message);
  });

  it('follows the preferences, even if the notification is not stored in the app', async () => {
    const server = await withMailServer();
    await configure({ RUN_FAILED: { email: true, in_app: false }, MANUAL_RUN_COMPLETED: { email: false } });
    await runs.emit(runFinished, runEnd(author, { run: '1' }));
    await fail();
    await untilSent(server, address);
    await untilStored(author, 1);
    await configure({ RUN_FAILED: { email: false }, MANUAL_RUN_COMPLETED: { email: true } });
    await fail();
    await runs.emit(runFinished, runEnd(author, { run: '2' }));
    await untilSent(server, address, 2);
    await untilAllTried(server);
    expect(mailsTo(server, address).map(({ subject }) => subject)).toEqual(['Port scan failed', 'Port scan completed']);
  });

  it('is sent once by several copies of the service, each to its recipient', async () => {
    const server = await withMailServer([], {}, 3);
    const others = Array.from({ length: 40 }, () => ownerCaller());
    const addresses = others.map((caller) => contacts.add(caller));
    await Promise.all(others.map((caller, index) => fail(caller, String(index))));
    await eventually(() => expect(server.accepted).toHaveLength(40));
    await untilAllTried(server);
    for (const [index, to] of addresses.entries()) {
      expect(mailsTo(server, to).map(({ text }) => text)).toEqual([expect.stringContaining(`/runs/${index}\n`)]);
    }
  });

  it('is not sent to a user who has left', async () => {
    const server = await withMailServer();
    contacts.remove(author);
    await fail();
    await untilAllTried(server);
    expect(mailsTo(server, address)).toEqual([]);
    await untilStored(author, 1);
  });

  it('is sent after an outage of auth', async () => {
    const server = await withMailServer();
    contacts.error = new Error('Auth is restarting');
    const before = contacts.requests();
    await fail();
    await eventually(() => expect(contacts.requests()).toBeGreaterThan(before));
    await untilStored(author, 1);
    contacts.error = null;
    await retryOnce();
    await untilSent(server, address);
  });

  it('is sent once although Redis lost its job', async () => {
    const stopped = await startMailServer();
    await stopped.close();
    const first = await system.start(start, { SMTP_URL: stopped.url });
    await fail();
    const redis = new Redis(String(system.env['REDIS_URL']));
    await eventually(async () => expect(await redis.zcard('bull:notifications-news:delayed')).toBe(1));
    await first.close();
    await redis.flushdb();
    redis.disconnect();
    await system.database.query(`UPDATE notifications.pending_mail SET created_at = now() - interval '2 minutes'`);
    const server = await withMailServer([], {}, 2);
    await untilSent(server, address);
    await untilAllTried(server);
    expect(mailsTo(server, address)).toHaveLength(1);
  });

  it('is no longer pending after it was sent or rejected, or its user has left', async () => {
    const server = await withMailServer([], {
      onRcptTo: ({ address: to }, _session, done) =>
        done(to === address ? Object.assign(new Error('unknown'), { responseCode: 550 }) : null),
    });
    const left = ownerCaller();
    await Promise.all([fail(), fail(left)]);
    await untilAllTried(server);
    await eventually(async () =>
      expect(await system.database.query('SELECT id FROM notifications.pending_mail')).toEqual([]),
    );
  });

  it.each<[string, Reaction]>([
    ['refuses for now', { code: 451, text: 'try again' }],
    ['drops the connection', 'hang up'],
  ])('is retried if the server %s, and sent once', async (_, reaction) => {
    const server = await withMailServer([reaction]);
    await fail();
    await eventually(() => expect(server.tries()).toBe(1));
    await retryOnce();
    await untilSent(server, address);
    await untilAllTried(server);
    expect(mailsTo(server, address)).toHaveLength(1);
  });

  it('is sent once through a slow server, without delaying other mails', async () => {
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const server = await withMailServer([], {
      onRcptTo: ({ address: to }, _session, done) =>
        void (to === address ? released : Promise.resolve()).then(() => done()),
    });
    await fail();
    const other = ownerCaller();
    const otherAddress = contacts.add(other);
    await fail(other);
    await untilSent(server, otherAddress);
    expect(mailsTo(server, address)).toEqual([]);
    release();
    await untilSent(server, address);
  });
});

describe('an address that the mail server rejects permanently', () => {
  const unknown = (options: { code: number; text: string }): SMTPServerOptions => ({
    onRcptTo: ({ address: to }, _session, done) =>
      done(to === address ? Object.assign(new Error(options.text), { responseCode: options.code }) : null),
  });

  it('receives no more mails until its user resumes them', async () => {
    let exists = false;
    const server = await withMailServer([], {
      onRcptTo: ({ address: to }, _session, done) =>
        done(to === address && !exists ? Object.assign(new Error('5.1.1 unknown'), { responseCode: 550 }) : null),
    });
    expect(await pausedAs()).toBeUndefined();
    await fail();
    const paused = await eventually(async () => {
      const found = await pausedAs();
      expect(found).toEqual({ since: expect.any(String), reason: '550 5.1.1' });
      return found;
    });
    exists = true;
    await fail();
    await untilAllTried(server);
    expect(mailsTo(server, address)).toEqual([]);
    expect(await pausedAs()).toEqual(paused);
    expect(await retry()).toBe(0);
    const resumed = await system.callAs(author, resumeMail);
    expect(resumed).not.toHaveProperty('email_paused');
    await fail();
    await untilSent(server, address);
    await untilStored(author, 3);
  });

  it('is not stored in clear', async () => {
    await withMailServer([], unknown({ code: 550, text: 'unknown' }));
    await fail();
    await eventually(async () => expect(await pausedAs()).toMatchObject({ reason: '550' }));
    const rows = await system.database.query('SELECT * FROM notifications.paused_address');
    expect(JSON.stringify(rows)).not.toContain('example.org');
  });

  it.each([
    ['that the sender is on a block list', { code: 550, text: '5.7.1 blocked' }],
    ['that the mailbox is full', { code: 552, text: '5.2.2 full' }],
  ])('is not paused if the server reports %s', async (_, response) => {
    const server = await withMailServer([], unknown(response));
    await fail();
    await untilAllTried(server);
    expect(await pausedAs()).toBeUndefined();
  });
});
