import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import { snapshotPublished } from '@millrace/contracts/workflows/snapshots';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { notifyUsers } from '../recipients/notify-users.js';
import { describeSnapshot } from '../webhooks/messages/describe-release.js';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';
import { addressReleases, type Release } from './address-releases.js';

@Injectable()
export class SnapshotPublishedListener {
  constructor(
    private readonly rpc: RpcClient,
    private readonly webhooks: WebhookPublisher,
  ) {}

  @EventHandler(snapshotPublished)
  async notifyVault(published: Payload<typeof snapshotPublished>[], tx: Transaction): Promise<void> {
    const notifications = await addressReleases(this.rpc, published.map(describe));
    await this.webhooks.publish(tx, published.map(describeSnapshot));
    await notifyUsers(tx, notifications);
  }
}

const describe = (published: Payload<typeof snapshotPublished>): Release => ({
  vault: published.vault,
  author: published.author,
  page: pagePaths.publishedWorkflow(published.snapshot),
  type: 'WORKFLOW_RELEASED',
  title: `${published.name} was published`,
  message:
    published.name === published.workflowName
      ? `The workflow "${published.workflowName}" is in the library.`
      : `"${published.name}", a version of the workflow "${published.workflowName}", is in the library.`,
  metadata: {
    snapshot: published.snapshot,
    workflow: published.workflow,
    version: published.version,
    space: published.space,
    author: published.author,
  },
});
