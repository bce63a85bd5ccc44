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
import { retryNow } from '@millrace/testkit/retry-now';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { playContacts, type PlayedContacts } from '../testing/fake-contacts.js';
import { startMailServer, type MailServer, type Reaction } from '../testing/mail-server.js';
import { runEnd } from '../testing/run-end.js';

let system: System;
let runs: EventSource;
let contacts: PlayedContacts;
let author: Caller;
let address: string;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  system = await startApps([]);
  runs = await system.sourceOf('runs');
  contacts = playContacts(await system.play('auth'));
});
beforeEach(() => {
  author = ownerCaller();
  address = contacts.add(author);
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
afterAll(() => system.close());

/** A mail server, and copies of notifications that hand over to it. */
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
const mailsTo = (server: MailServer, whom: string) =>
  server.accepted.filter(({ recipients }) => recipients.includes(whom)).map(({ mail }) => mail);
const untilSent = (server: MailServer, whom: string, count = 1) =>
  eventually(() => expect(mailsTo(server, whom)).toHaveLength(count));
const untilStored = (caller: Caller, count: number) =>
  eventually(async () => expect((await system.callAs(caller, listNotifications)).count).toBe(count));
const retry = () => retryNow(mailNotification, String(system.env['REDIS_URL']));
const retryOnce = () => eventually(async () => expect(await retry()).toBe(1));
const pausedAs = async (caller = author) => (await system.callAs(caller, getNotificationConfig)).email_paused;

/** What was ordered before this has been begun by the time that these have come one after the other. */
async function untilAllTried(server: MailServer): Promise<void> {
  const marker = ownerCaller();
  const to = contacts.add(marker);
  for (let number = 1; number <= 5; number++) {
    await fail(marker, String(number));
    await untilSent(server, to, number);
  }
}

describe('the mail of a notification', () => {
  it('says the same, with a link to the run, under the id of the notification', async () => {
    const server = await withMailServer();
    await fail();
    await untilSent(server, address);
    const [mail] = mailsTo(server, address);
    const [notification] = (await system.callAs(author, listNotifications)).results;
    expect(mail).toMatchObject({ subject: 'Port scan failed', messageId: `<${notification?.id}@m.example>` });
    for (const text of [mail?.text, mail?.html]) expect(text).toContain('https://m.example/runs/7');
    expect(mail?.text).toContain(notification?.message);
  });

  it('goes by what was chosen, also where none is stored', async () => {
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

  it('is sent once by several copies, each to its own', async () => {
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

  it('is not sent to who has left', async () => {
    const server = await withMailServer();
    contacts.remove(author);
    await fail();
    await untilAllTried(server);
    expect(mailsTo(server, address)).toEqual([]);
    await untilStored(author, 1);
  });

  it('waits for auth', async () => {
    const server = await withMailServer();
    contacts.fail = new Error('is being restarted');
    const before = contacts.asked();
    await fail();
    await eventually(() => expect(contacts.asked()).toBeGreaterThan(before));
    await untilStored(author, 1);
    contacts.fail = null;
    await retryOnce();
    await untilSent(server, address);
  });

  it('is sent though the queue forgot it, once', async () => {
    const gone = await startMailServer();
    await gone.close();
    const first = await system.start(start, { SMTP_URL: gone.url });
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

  it('that is over is pending no more, whether it was sent, refused, or its user has left', async () => {
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
    ['refuses for now', { code: 451, text: 'come again' }],
    ['drops the connection', 'hang up'],
  ])('is tried again where the server %s, and sent once', async (_, reaction) => {
    const server = await withMailServer([reaction]);
    await fail();
    await eventually(() => expect(server.tries()).toBe(1));
    await retryOnce();
    await untilSent(server, address);
    await untilAllTried(server);
    expect(mailsTo(server, address)).toHaveLength(1);
  });

  it('is sent once by a server that takes its time, and others go on meanwhile', async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = await withMailServer([], {
      onRcptTo: ({ address: to }, _session, done) =>
        void (to === address ? held : Promise.resolve()).then(() => done()),
    });
    await fail();
    const other = ownerCaller();
    const elsewhere = contacts.add(other);
    await fail(other);
    await untilSent(server, elsewhere);
    expect(mailsTo(server, address)).toEqual([]);
    release();
    await untilSent(server, address);
  });
});

describe('an address that the mail server refuses for good', () => {
  const unknown = (options: { code: number; text: string }): SMTPServerOptions => ({
    onRcptTo: ({ address: to }, _session, done) =>
      done(to === address ? Object.assign(new Error(options.text), { responseCode: options.code }) : null),
  });

  it('gets no more mails until its user says so', async () => {
    let known = false;
    const server = await withMailServer([], {
      onRcptTo: ({ address: to }, _session, done) =>
        done(to === address && !known ? Object.assign(new Error('5.1.1 unknown'), { responseCode: 550 }) : null),
    });
    expect(await pausedAs()).toBeUndefined();
    await fail();
    const paused = await eventually(async () => {
      const found = await pausedAs();
      expect(found).toEqual({ since: expect.any(String), reason: '550 5.1.1' });
      return found;
    });
    known = true;
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

  it('is kept nowhere in clear', async () => {
    await withMailServer([], unknown({ code: 550, text: 'unknown' }));
    await fail();
    await eventually(async () => expect(await pausedAs()).toMatchObject({ reason: '550' }));
    const rows = await system.database.query('SELECT * FROM notifications.paused_address');
    expect(JSON.stringify(rows)).not.toContain('example.org');
  });

  it.each([
    ['that we are on a list', { code: 550, text: '5.7.1 blocked' }],
    ['that it is full', { code: 552, text: '5.2.2 full' }],
  ])('is not paused where the server says %s', async (_, answer) => {
    const server = await withMailServer([], unknown(answer));
    await fail();
    await untilAllTried(server);
    expect(await pausedAs()).toBeUndefined();
  });
});
