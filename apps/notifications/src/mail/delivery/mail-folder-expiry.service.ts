import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IntervalLoop } from '@millrace/service/loops/interval-loop';
import { mailFolder, NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';

const INTERVAL_MS = 3_600_000;
/** Links in mails are valid for a week at most. */
const RETENTION_MS = 30 * 86_400_000;
/** Complete mails, and drafts of processes that were killed. Other files in the folder are not ours. */
const MAIL_FILE = /^\.?[\w-]+\.(eml|draft)$/;

/** Deletes old mails from the folder that has them if no mail server is configured. */
@Injectable()
export class MailFolderExpiryService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop = new IntervalLoop('Deletion of old mail files', INTERVAL_MS, () => this.deleteOld());

  constructor(@Inject(NOTIFICATIONS_ENV) private readonly env: NotificationsEnv) {}

  onApplicationBootstrap(): void {
    if (this.env.SMTP_URL === undefined) this.loop.start({ immediately: true });
  }

  private async deleteOld(): Promise<void> {
    const folder = mailFolder(this.env);
    const names = await readdir(folder).catch(ignoreMissing);
    for (const name of names ?? []) {
      if (!MAIL_FILE.test(name)) continue;
      const file = join(folder, name);
      const found = await stat(file).catch(ignoreMissing);
      if (found?.isFile() && found.mtimeMs < Date.now() - RETENTION_MS) await rm(file, { force: true });
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}

function ignoreMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
