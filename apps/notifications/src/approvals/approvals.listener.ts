import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { approvalDecided, approvalRequested } from '@millrace/contracts/runs/approvals';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { notifyUsers, type UserNotification } from '../recipients/notify-users.js';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';
import { describeDecision, describeRequest, toNotification } from './describe-approval.js';
import { findApprovers } from './find-approvers.js';

/** Notifies the users who may decide about an approval, and publishes requests and decisions to webhooks. */
@Injectable()
export class ApprovalsListener {
  constructor(
    private readonly rpc: RpcClient,
    private readonly webhooks: WebhookPublisher,
  ) {}

  @EventHandler(approvalRequested)
  async publishRequests(requests: Payload<typeof approvalRequested>[], tx: Transaction): Promise<void> {
    const notifications: UserNotification[] = [];
    for (const request of requests) {
      const users = await findApprovers(this.rpc, request.vault, request.space, request.role);
      notifications.push(...users.map((user) => ({ ...toNotification(request), user })));
    }
    await this.webhooks.publish(tx, requests.map(describeRequest));
    await notifyUsers(tx, notifications);
  }

  @EventHandler(approvalDecided)
  async publishDecisions(decisions: Payload<typeof approvalDecided>[], tx: Transaction): Promise<void> {
    await this.webhooks.publish(tx, decisions.map(describeDecision));
  }
}
