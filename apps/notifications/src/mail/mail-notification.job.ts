import { Inject, Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { mailNotification } from '@millrace/contracts/notifications/mail';
import { Asker } from '@millrace/messaging/asker';
import { Processes } from '@millrace/messaging/processes';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';
import { findContacts } from '../find-contacts.js';
import { PausedAddresses } from './paused-addresses.js';
import { RefusedAddress } from './refused-address.js';
import { SendOnce } from './send-once.js';
import { writeNotification } from './templates/notification.js';

/** Mails notifications to where their users are reached now: whoever has left the vault, or is disabled, gets none. */
@Injectable()
export class MailNotificationJob {
  constructor(
    private readonly asker: Asker,
    private readonly once: SendOnce,
    private readonly paused: PausedAddresses,
    @Inject(NOTIFICATIONS_ENV) private readonly env: NotificationsEnv,
  ) {}

  @Processes(mailNotification)
  async mail({ id, vault, user, ...said }: Payload<typeof mailNotification>): Promise<void> {
    const contact = (await findContacts(this.asker, vault, new Set([user]))).get(user);
    if (!contact || (await this.paused.isPaused(user, contact.email))) return;
    const link = `${this.env.PUBLIC_URL.replace(/\/$/, '')}${said.page}`;
    try {
      await this.once.send({ id, to: contact.email, ...writeNotification({ ...said, link }) });
    } catch (error) {
      if (error instanceof RefusedAddress) await this.paused.pause(user, contact.email, error.codes);
      throw error;
    }
  }
}
