import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import { Database } from '@millrace/persistence/database';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../../env.js';

/**
 * What of webhooks is encrypted at rest: URLs and secrets. Under another MILLRACE_SECRET the service does not start, for each
 * message that is due would use up its attempts.
 */
@Injectable()
export class WebhookSeal extends SecretCipher implements OnModuleInit {
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
        `Webhook ${newest.id} was sealed under another MILLRACE_SECRET: set that one again, or delete the rows of ` +
          'notifications.webhook: their owners have to make them anew',
      );
    }
  }
}
