import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@millrace/persistence/database';
import { DELIVER, PATIENCE_MS, type Deliver, type OutgoingMail } from './outgoing-mail.js';

/**
 * Sends mails, each once: its id is written before the mail server is asked, and committed after it has answered. While
 * one process is at it another one that got the same job waits at that row, and then finds the mail sent. What cannot be
 * excluded is a process (or database) that dies between the server's answer and the commit; such a mail goes out twice,
 * under the same Message-ID.
 */
@Injectable()
export class SendOnce {
  constructor(
    private readonly database: Database,
    @Inject(DELIVER) private readonly deliver: Deliver,
  ) {}

  /** @throws as `Deliver`; the mail then counts as not sent */
  async send(mail: OutgoingMail): Promise<void> {
    const work = async (tx: Transaction) => {
      if (await noteSent(tx, mail.id)) await this.deliver(mail);
    };
    await this.database.transaction(work, { timeoutMs: PATIENCE_MS });
    await this.database.client
      .$executeRaw`DELETE FROM notifications.sent_mail WHERE sent_at < now() - interval '30 days'`;
  }
}

/** @returns false where the mail has been sent before */
async function noteSent(tx: Transaction, id: string): Promise<boolean> {
  const rows =
    await tx.$executeRaw`INSERT INTO notifications.sent_mail (id) VALUES (${id}::uuid) ON CONFLICT DO NOTHING`;
  return rows === 1;
}
