import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { runStalled } from '@millrace/contracts/runs/runs';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { notifyUsers, type UserNotification } from '../recipients/notify-users.js';
import type { AddressedWebhookEvent } from '../webhooks/messages/webhook-event.js';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';

type StalledRun = Payload<typeof runStalled>;

/** Notifies the author of a run that it does not progress. */
@Injectable()
export class RunStalledListener {
  constructor(private readonly webhooks: WebhookPublisher) {}

  @EventHandler(runStalled)
  async notify(runs: StalledRun[], tx: Transaction): Promise<void> {
    await this.webhooks.publish(tx, runs.map(toEvent));
    await notifyUsers(tx, runs.map(toNotification));
  }
}

const summarize = ({ run, workflowName }: StalledRun): string => `Run ${run} of ${workflowName} does not progress`;

const toEvent = (stalled: StalledRun): AddressedWebhookEvent => ({
  ...{ type: 'run.stalled', vault: stalled.vault, space: stalled.space, workflow: stalled.workflow },
  ...{ at: stalled.stalledAt, summary: summarize(stalled), page: pagePaths.run(stalled.run) },
  data: {
    ...{ run: stalled.run, name: stalled.name, workflow: stalled.workflow, workflow_name: stalled.workflowName },
    ...{ space: stalled.space, author: stalled.author, stalled_date: stalled.stalledAt },
  },
});

const toNotification = (stalled: StalledRun): UserNotification => ({
  // The interface fixes the types that users configure. This one is for what needs their attention.
  ...{ type: 'RUN_FAILED', kind: 'RUN_STALLED', vault: stalled.vault, user: stalled.author },
  ...{ title: summarize(stalled), page: pagePaths.run(stalled.run) },
  message: 'It neither progresses nor waits for anything. Stop it or retry it, and tell your operator.',
  metadata: { run: stalled.run, workflow: stalled.workflow, space: stalled.space },
});
