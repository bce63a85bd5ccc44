import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually';
import { notificationsEnv, type NotificationsEnv } from '../../env.js';
import { MailFolderExpiryService } from './mail-folder-expiry.service.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-mails-'));
});
afterEach(() => rm(folder, { recursive: true }));

const envWith = (more: object): NotificationsEnv => ({
  ...notificationsEnv.parse({
    ...{ NATS_URL: 'nats://127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/x' },
    ...{ MILLRACE_SECRET: 'x'.repeat(32), MAIL_DIR: folder, ...more },
  }),
});

async function addFile(name: string, days: number): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, '');
  const at = new Date(Date.now() - days * 86_400_000);
  await utimes(file, at, at);
}

async function expire(env: NotificationsEnv, check: () => Promise<void>): Promise<void> {
  const service = new MailFolderExpiryService(env);
  service.onApplicationBootstrap();
  try {
    await check();
  } finally {
    await service.onApplicationShutdown();
  }
}

it('mails and drafts are deleted from the folder after 30 days, and other files stay', async () => {
  await addFile('20260101T000000000Z-01a2.eml', 31);
  await addFile('.01a2.draft', 31);
  await addFile('20260102T000000000Z-01a3.eml', 29);
  await addFile('notes.txt', 400);
  await expire(envWith({}), () =>
    eventually(async () =>
      expect((await readdir(folder)).sort()).toEqual(['20260102T000000000Z-01a3.eml', 'notes.txt']),
    ),
  );
});

it('a folder that does not exist yet is no failure', async () => {
  await rm(folder, { recursive: true });
  await expire(envWith({}), async () => undefined);
  folder = await mkdtemp(join(tmpdir(), 'millrace-mails-'));
});
