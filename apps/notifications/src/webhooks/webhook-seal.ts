import { Inject, Injectable } from '@nestjs/common';
import { Seal } from '@millrace/messaging/seal';
import { NOTIFICATIONS_ENV, type NotificationsEnv } from '../env.js';

/** What of webhooks is encrypted at rest: URLs and secrets. */
@Injectable()
export class WebhookSeal extends Seal {
  constructor(@Inject(NOTIFICATIONS_ENV) env: NotificationsEnv) {
    super(env.MILLRACE_SECRET, 'webhook');
  }
}
