import { Inject, Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { mailContent, sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { PermanentFailureError } from '@millrace/messaging/jobs/job-errors';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';
import { writeLetter } from './content/write-letter.js';
import { MailSender } from './leases/mail-sender.js';

/** Sends the mails that other services enqueue. */
@Injectable()
export class SendMailJob {
  private readonly cipher: SecretCipher;

  constructor(
    private readonly sender: MailSender,
    @Inject(NOTIFICATIONS_ENV) env: NotificationsEnv,
  ) {
    this.cipher = new SecretCipher(env.MILLRACE_SECRET, 'mail');
  }

  @JobProcessor(sendMail)
  async send({ id, sealed }: Payload<typeof sendMail>): Promise<void> {
    const content = this.open(id, sealed);
    await this.sender.send({ id, to: content.to, ...writeLetter(content) });
  }

  private open(id: string, sealed: string): MailContent {
    try {
      return mailContent.parse(JSON.parse(this.cipher.decrypt(Buffer.from(sealed, 'base64'))));
    } catch {
      // Drops the cause, which may quote the content.
      throw new PermanentFailureError(
        `Mail ${id} cannot be decrypted: MILLRACE_SECRET has changed since it was enqueued`,
      );
    }
  }
}
