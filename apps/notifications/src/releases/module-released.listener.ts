import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import type { NotificationType } from '@millrace/contracts/notifications/notifications';
import { moduleReleased } from '@millrace/contracts/workflows/library';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { Transaction } from '@millrace/persistence/database';
import { notifyUsers } from '../recipients/notify-users.js';
import { describeModule } from '../webhooks/messages/describe-release.js';
import { WebhookPublisher } from '../webhooks/messages/webhook-publisher.js';
import { addressReleases, type Release } from './address-releases.js';

type Module = Payload<typeof moduleReleased>;

@Injectable()
export class ModuleReleasedListener {
  constructor(
    private readonly rpc: RpcClient,
    private readonly webhooks: WebhookPublisher,
  ) {}

  @EventHandler(moduleReleased)
  async notifyVault(released: Module[], tx: Transaction): Promise<void> {
    const notifications = await addressReleases(this.rpc, released.map(describe));
    await this.webhooks.publish(tx, released.map(describeModule));
    await notifyUsers(tx, notifications);
  }
}

/** A MODULE is a workflow that is used as a node. */
const KINDS: Record<Module['type'], { type: NotificationType; noun: string }> = {
  TOOL: { type: 'TOOL_RELEASED', noun: 'tool' },
  SCRIPT: { type: 'SCRIPT_RELEASED', noun: 'script' },
  MODULE: { type: 'WORKFLOW_RELEASED', noun: 'module' },
};

function describe({ vault, author, module, name, number, type: kind }: Module): Release {
  const { type, noun } = KINDS[kind];
  const isNew = number === 1;
  return {
    vault,
    author,
    page: pagePaths.module(module),
    type,
    title: isNew ? `New ${noun}: ${name}` : `${name} has a new version`,
    message: isNew
      ? `The ${noun} "${name}" is new in the library.`
      : `Version ${number} of the ${noun} "${name}" is in the library.`,
    metadata: { module, module_type: kind, version_number: number, author },
  };
}
