import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import { sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { newId } from '@millrace/persistence/ids';
import type { ProcessEnv } from '@millrace/service/startup/env';
import { readMetric } from '@millrace/telemetry/testing/read-metric';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import { promoteRetries } from '@millrace/testkit/promote-retries';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { startMailServer, type MailServer, type Reaction } from '../testing/mail-server.js';

let system: System;
let auth: EventSource;
let folder: string;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  system = await startApps([]);
  auth = await system.sourceOf('auth');
  folder = await mkdtemp(join(tmpdir(), 'millrace-mail-'));
});
afterEach(async () => {
  for (const resource of open.splice(0).reverse()) await resource.close();
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true, force: true });
});

const redisUrl = () => String(system.env['REDIS_URL']);

async function startNotifications(env: ProcessEnv): Promise<void> {
  open.push(await system.start(start, { MAIL_FROM: 'Mill <mill@millrace.example>', ...env }));
}

async function withServer(reactions: Reaction[] = [], options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(reactions, options);
  open.push(server);
  return server;
}

/** A mail server, and the service that uses it. */
async function withMailServer(reactions: Reaction[] = []): Promise<MailServer> {
  const server = await withServer(reactions);
  await startNotifications({ SMTP_URL: server.url });
  return server;
}

const invitation = (to = 'ada@example.org'): MailContent => ({
  template: 'invitation',
  to,
  vault: 'Blaues Team ✓',
  invitedBy: 'Zoë',
  link: 'https://m.example/invitations/accept?token=secret-of-the-link',
  expiresAt: '2026-11-28T10:00:00.000Z',
});

/** Enqueues a mail as auth does. Each call makes a new job. */
async function enqueue(content: MailContent, id = newId(), secret = String(system.env['MILLRACE_SECRET'])) {
  const sealed = Buffer.from(new SecretCipher(secret, 'mail').encrypt(JSON.stringify(content))).toString('base64');
  await auth.database.transaction(async (tx) => tx.enqueue(sendMail, { id, sealed }));
  return id;
}

const untilSent = (server: MailServer, count: number) => eventually(() => expect(server.accepted).toHaveLength(count));

/** More than one process sends at once: all mails enqueued before the markers have been attempted when the markers arrive. */
const MARKERS = 5;

async function untilAllTried(server: MailServer): Promise<void> {
  for (let number = 0; number < MARKERS; number++) {
    const marker = `marker-${newId()}@example.org`;
    await enqueue(invitation(marker));
    await eventually(() => expect(server.accepted.flatMap(({ recipients }) => recipients)).toContain(marker));
  }
}

const sentIds = async () =>
  (await system.database.query<{ id: string }>('SELECT id FROM notifications.sent_mail')).map(({ id }) => id);

const countAttempts = async (outcome: string) => Number(await readMetric(`millrace_mails_total{outcome="${outcome}"}`));

/** Retries at once instead of after half a minute. */
const tryAgain = () => eventually(async () => expect(await promoteRetries(sendMail, redisUrl())).toBeGreaterThan(0));

describe('a mail', () => {
  it('reaches its recipient as text and HTML, with its own Message-ID', async () => {
    const server = await withMailServer();
    const id = await enqueue(invitation());
    await untilSent(server, 1);
    const [{ mail, recipients } = { mail: null, recipients: [] }] = server.accepted;
    expect(recipients).toEqual(['ada@example.org']);
    expect(mail).toMatchObject({
      subject: 'Zoë invites you to Blaues Team ✓',
      from: { name: 'Mill', address: 'mill@millrace.example' },
      messageId: `<${id}@millrace.example>`,
    });
    expect(mail?.text).toContain('token=secret-of-the-link');
    expect(mail?.html).toContain('href="https://m.example/invitations/accept?token=secret-of-the-link"');
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  });

  it('is sent to one address, even if that contains a comma', async () => {
    const server = await withMailServer();
    await enqueue(invitation('ada@example.org, eve@example.org'));
    await untilAllTried(server);
    expect(server.accepted.flatMap(({ recipients }) => recipients)).not.toContain('eve@example.org');
  });

  it('is sent once although its job runs again', async () => {
    const server = await withMailServer();
    const id = await enqueue(invitation());
    await untilSent(server, 1);
    await enqueue(invitation(), id);
    await untilAllTried(server);
    expect(server.accepted.filter(({ mail }) => mail.messageId?.includes(id))).toHaveLength(1);
  });

  it('is sent once by two processes that run the job at the same time', async () => {
    const server = await withMailServer();
    await startNotifications({ SMTP_URL: server.url });
    const id = newId();
    await Promise.all([1, 2, 3, 4].map(() => enqueue(invitation(), id)));
    await untilSent(server, 1);
    await untilAllTried(server);
    // Jobs that ran during the delivery wait for its outcome.
    await eventually(async () => expect(await promoteRetries(sendMail, redisUrl())).toBe(0));
    await untilAllTried(server);
    expect(server.accepted.filter(({ mail }) => mail.messageId?.includes(id))).toHaveLength(1);
  });

  it('that is rejected permanently is not retried', async () => {
    const server = await withMailServer([{ code: 550, text: 'no such user ada@example.org' }]);
    const [rejected, sent] = [await countAttempts('rejected'), await countAttempts('sent')];
    const id = await enqueue(invitation());
    await eventually(() => expect(server.tries()).toBe(1));
    await untilAllTried(server);
    await eventually(async () => expect(await countAttempts('rejected')).toBe(rejected + 1));
    await eventually(async () => expect(await countAttempts('sent')).toBe(sent + MARKERS));
    expect(await promoteRetries(sendMail, redisUrl())).toBe(0);
    expect(server.tries()).toBe(1 + MARKERS);
    expect(await sentIds()).not.toContain(id);
  });

  it.each<[string, Reaction]>([
    ['is rejected temporarily', { code: 451, text: 'greylisted, try again' }],
    ['gets no response because the connection breaks', 'hang up'],
  ])('that %s is retried with the same id', async (_, reaction) => {
    const server = await withMailServer([reaction]);
    const before = await countAttempts('failed');
    const id = await enqueue(invitation());
    await eventually(() => expect(server.tries()).toBe(1));
    // The record of the attempt is deleted when it has failed.
    await eventually(async () => expect(await sentIds()).not.toContain(id));
    await eventually(async () => expect(await countAttempts('failed')).toBe(before + 1));
    await tryAgain();
    await untilSent(server, 1);
    expect(server.accepted[0]?.mail.messageId).toContain(id);
    await eventually(async () => expect(await sentIds()).toContain(id));
  });

  it('is sent after an outage of the mail server', async () => {
    const stopped = await withServer();
    await stopped.close();
    const [notifications] = [await system.start(start, { SMTP_URL: stopped.url })];
    open.push(notifications);
    const id = await enqueue(invitation());
    await tryAgain();
    await notifications.close();
    const server = await withMailServer();
    await tryAgain();
    await untilSent(server, 1);
    expect(server.accepted[0]?.mail.messageId).toContain(id);
  });

  it('that was encrypted with another secret is dropped', async () => {
    const server = await withMailServer();
    await enqueue(invitation('lost@example.org'), newId(), 'another secret of thirty-two characters');
    await untilAllTried(server);
    expect(server.tries()).toBe(MARKERS);
    expect(await promoteRetries(sendMail, redisUrl())).toBe(0);
  });
});

describe('a mail server that requires authentication', () => {
  const guarded: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'mill' && password === 'p@ss word' ? done(null, { user: 'mill' }) : done(new Error('Wrong')),
  };

  it('receives the credentials of SMTP_URL', async () => {
    const server = await withServer([], guarded);
    await startNotifications({ SMTP_URL: server.url.replace('//', '//mill:p%40ss%20word@') });
    await enqueue(invitation());
    await untilSent(server, 1);
  });

  it.each(['//', '//mill:wrong@'])(
    'and rejects the credentials (%s) is retried, because the operator may fix them',
    async (login) => {
      const server = await withServer([], guarded);
      await startNotifications({ SMTP_URL: server.url.replace('//', login) });
      await enqueue(invitation());
      await tryAgain();
      for (const resource of open.splice(1)) await resource.close();
      await startNotifications({ SMTP_URL: server.url.replace('//', '//mill:p%40ss%20word@') });
      await tryAgain();
      await untilSent(server, 1);
    },
  );
});

describe('without a mail server', () => {
  it('a mail is a file that only its owner can read', async () => {
    const dir = join(folder, 'data', 'mail');
    await startNotifications({ MILLRACE_DATA_DIR: join(folder, 'data') });
    const id = await enqueue(invitation());
    const files = await eventually(async () => {
      const found = await readdir(dir);
      expect(found).toEqual([expect.stringMatching(new RegExp(`^\\d{8}T\\d{9}Z-${id}\\.eml$`))]);
      return found;
    });
    const path = join(dir, files[0] ?? '');
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const mail = await PostalMime.parse(await readFile(path));
    expect(mail).toMatchObject({ messageId: `<${id}@millrace.example>`, to: [{ address: 'ada@example.org' }] });
    expect(mail.text).toContain('token=secret-of-the-link');
  });

  it('mails are in the folder that MAIL_DIR names', async () => {
    const dir = join(folder, 'other');
    await startNotifications({ MAIL_DIR: dir, MILLRACE_DATA_DIR: join(folder, 'data') });
    await enqueue(invitation());
    await eventually(async () => expect(await readdir(dir)).toHaveLength(1));
  });
});

it.each([
  ['SMTP_URL', 'http://mail.example'],
  ['MAIL_FROM', 'no address'],
])('an invalid %s prevents the start', async (name, value) => {
  await expect(system.start(start, { [name]: value })).rejects.toThrow(name);
});
