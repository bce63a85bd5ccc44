import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { scheduleRefused } from '@millrace/contracts/workflows/schedules';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { notifyUsers } from '../recipients/notify-users.js';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';
import { describeRefusedSchedule, toScheduleEvent } from './describe-refused-schedule.js';

/** Notifies the author of a schedule and the vault's webhooks that a run could not be started. */
@Injectable()
export class ScheduleRefusedListener {
  constructor(private readonly webhooks: WebhookPublisher) {}

  @EventHandler(scheduleRefused)
  async notify(refused: Payload<typeof scheduleRefused>[], tx: Transaction): Promise<void> {
    await this.webhooks.publish(tx, refused.map(toScheduleEvent));
    await notifyUsers(tx, refused.map(describeRefusedSchedule));
  }
}
