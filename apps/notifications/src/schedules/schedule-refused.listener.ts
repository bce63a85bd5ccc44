import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { scheduleRefused } from '@millrace/contracts/workflows/schedules';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { type UserNotification, notifyUsers } from '../recipients/notify-users.js';
import type { AddressedWebhookEvent } from '../webhooks/messages/webhook-event.js';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';

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

type Refused = Payload<typeof scheduleRefused>;

/** Notifies the author of the schedule. Uses RUN_FAILED, because the API has no type of its own for a run that cannot start. */
function describeRefusedSchedule(refused: Refused): UserNotification {
  const { vault, author: user, workflow, workflowName, reason } = refused;
  return {
    ...{ vault, user, page: pagePaths.workflow(refused.workflow), type: 'RUN_FAILED' },
    title: `The schedule of ${workflowName} could not start a run`,
    message:
      `The schedule of ${workflowName} could not start its run of ${refused.dueAt}: ${reason}. ` +
      'You receive no further notification until a run starts or the schedule is changed.',
    metadata: {
      ...{ workflow, space: refused.space, schedule: refused.schedule, creation_type: 'SCHEDULED' },
      ...{ reason, due_date: refused.dueAt },
    },
  };
}

function toScheduleEvent(refused: Refused): AddressedWebhookEvent {
  const { vault, space, workflow, workflowName, schedule, author, reason, dueAt } = refused;
  return {
    ...{ type: 'schedule.refused', vault, space, workflow, at: dueAt },
    summary: `The schedule of ${workflowName} could not start a run`,
    detail: reason,
    page: pagePaths.workflow(refused.workflow),
    data: { schedule, workflow, workflow_name: workflowName, space, author, reason, due_date: dueAt },
  };
}
