import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { scheduleRefused } from '@millrace/contracts/workflows/schedules';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { tellUsers } from '../recipients/notify-users.js';
import { WebhookOrders } from '../webhooks/messages/webhook-publisher.js';
import { describeRefusedSchedule, toScheduleEvent } from './describe-refused-schedule.js';

/** Notifies the author of a schedule, and webhooks, that its runs cannot be started. */
@Injectable()
export class ScheduleRefusedListener {
  constructor(private readonly webhooks: WebhookOrders) {}

  @EventHandler(scheduleRefused)
  async notify(refused: Payload<typeof scheduleRefused>[], tx: Transaction): Promise<void> {
    await this.webhooks.tell(tx, refused.map(toScheduleEvent));
    await tellUsers(tx, refused.map(describeRefusedSchedule));
  }
}
