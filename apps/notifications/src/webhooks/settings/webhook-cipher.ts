import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { Database } from '@millrace/persistence/database';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';

/**
 * Encrypts the URLs and secrets of webhooks at rest. With a different MILLRACE_SECRET the service does not start, because all
 * due deliveries would use up their attempts.
 */
@Injectable()
export class WebhookCipher extends SecretCipher implements OnModuleInit {
  constructor(
    @Inject(NOTIFICATIONS_ENV) env: NotificationsEnv,
    private readonly database: Database,
  ) {
    super(env.MILLRACE_SECRET, 'webhook');
  }

  async onModuleInit(): Promise<void> {
    const newest = await this.database.client.webhook.findFirst({ orderBy: { createdAt: 'desc' } });
    if (!newest) return;
    try {
      this.decrypt(newest.url);
    } catch {
      throw new Error(
        `Webhook ${newest.id} was encrypted with another MILLRACE_SECRET. Set that one again, or delete the rows of ` +
          'notifications.webhook, which users then have to create again.',
      );
    }
  }
}
