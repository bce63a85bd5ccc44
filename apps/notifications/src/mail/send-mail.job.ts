import { Inject, Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { mailContent, sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { PermanentFailure } from '@millrace/messaging/permanent-failure';
import { Processes } from '@millrace/messaging/processes';
import { Seal } from '@millrace/messaging/seal';
import { Database, type Transaction } from '@millrace/persistence/database';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';
import { DELIVER, type Deliver } from './outgoing-mail.js';
import { writeLetter } from './write-letter.js';

/** Longer than a mail server that answers at all may take; then the mail counts as not sent, and is tried again. */
const PATIENCE_MS = 120_000;

/**
 * Sends mails, each once: its id is written before the mail server is asked, and committed after it has answered. While
 * one process is at it another one that got the same job waits at that row, and then finds the mail sent. What cannot be
 * excluded is a process (or database) that dies between the server's answer and the commit; such a mail goes out twice,
 * under the same Message-ID.
 */
@Injectable()
export class SendMailJob {
  private readonly seal: Seal;

  constructor(
    private readonly database: Database,
    @Inject(DELIVER) private readonly deliver: Deliver,
    @Inject(NOTIFICATIONS_ENV) env: NotificationsEnv,
  ) {
    this.seal = new Seal(env.MILLRACE_SECRET, 'mail');
  }

  @Processes(sendMail)
  async send({ id, sealed }: Payload<typeof sendMail>): Promise<void> {
    const content = this.open(id, sealed);
    const mail = { id, to: content.to, ...writeLetter(content) };
    const send = async (tx: Transaction) => {
      if (await noteSent(tx, id)) await this.deliver(mail);
    };
    await this.database.transaction(send, { timeoutMs: PATIENCE_MS });
    await this.database.client
      .$executeRaw`DELETE FROM notifications.sent_mail WHERE sent_at < now() - interval '30 days'`;
  }

  private open(id: string, sealed: string): MailContent {
    try {
      return mailContent.parse(JSON.parse(this.seal.open(Buffer.from(sealed, 'base64'))));
    } catch {
      // The cause may quote the content.
      throw new PermanentFailure(`Mail ${id} cannot be opened: MILLRACE_SECRET has changed since it was ordered`);
    }
  }
}

/** @returns false where the mail has been sent before */
async function noteSent(tx: Transaction, id: string): Promise<boolean> {
  const rows =
    await tx.$executeRaw`INSERT INTO notifications.sent_mail (id) VALUES (${id}::uuid) ON CONFLICT DO NOTHING`;
  return rows === 1;
}
