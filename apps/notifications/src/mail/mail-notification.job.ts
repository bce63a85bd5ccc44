import { Inject, Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { mailNotification } from '@millrace/contracts/notifications/mail';
import { PermanentFailureError } from '@millrace/messaging/jobs/job-errors';
import { JobProcessor } from '@millrace/messaging/jobs/job-processor';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';
import { findContacts } from '../recipients/find-contacts.js';
import { mailDetails } from './content/mail-details.js';
import { writeNotification } from './content/write-notification.js';
import { RejectedAddressError } from './delivery/classify-smtp-failure.js';
import { MailSender } from './leases/mail-sender.js';
import { PausedAddressesService } from './paused-addresses.service.js';

/**
 * Mails notifications to the current addresses of their users. Users who have left the vault or are disabled receive none.
 * Deletes the pending mail when it was sent or has failed for good.
 */
@Injectable()
export class MailNotificationJob {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    private readonly paused: PausedAddressesService,
    private readonly sender: MailSender,
    @Inject(NOTIFICATIONS_ENV) private readonly env: NotificationsEnv,
  ) {}

  @JobProcessor(mailNotification)
  async mail({ id }: Payload<typeof mailNotification>): Promise<void> {
    const mail = await this.database.client.pendingMail.findUnique({ where: { id } });
    if (!mail) return;
    const contact = (await findContacts(this.rpc, mail.vaultId, new Set([mail.userId]))).get(mail.userId);
    if (!contact || (await this.paused.isPaused(mail.userId, contact.email))) return this.drop(id);
    const link = `${this.env.PUBLIC_URL.replace(/\/$/, '')}${mail.page}`;
    const letter = writeNotification({ ...mail, link, details: mailDetails.parse(mail.details ?? {}) });
    try {
      await this.sender.send({ id, to: contact.email, ...letter }, (tx) =>
        tx.pendingMail.deleteMany({ where: { id } }),
      );
    } catch (error) {
      if (error instanceof RejectedAddressError) await this.paused.pause(mail.userId, contact.email, error.codes);
      if (error instanceof PermanentFailureError) await this.drop(id);
      throw error;
    }
  }

  private async drop(id: string): Promise<void> {
    await this.database.client.pendingMail.deleteMany({ where: { id } });
  }
}
