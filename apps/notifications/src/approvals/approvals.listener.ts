import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { approvalDecided, approvalRequested } from '@millrace/contracts/runs/approvals';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';
import { describeDecision, describeRequest } from './describe-approval.js';

/** Publishes requests for approvals, and the decisions, to webhooks. */
@Injectable()
export class ApprovalsListener {
  constructor(private readonly webhooks: WebhookPublisher) {}

  @EventHandler(approvalRequested)
  async publishRequests(requests: Payload<typeof approvalRequested>[], tx: Transaction): Promise<void> {
    await this.webhooks.publish(tx, requests.map(describeRequest));
  }

  @EventHandler(approvalDecided)
  async publishDecisions(decisions: Payload<typeof approvalDecided>[], tx: Transaction): Promise<void> {
    await this.webhooks.publish(tx, decisions.map(describeDecision));
  }
}
