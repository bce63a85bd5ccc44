import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import type { NotificationType } from '@millrace/contracts/notifications/notifications';
import { moduleReleased } from '@millrace/contracts/workflows/library';
import { Asker } from '@millrace/messaging/asker';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { tellUsers } from '../tell-users.js';
import { describeModule } from '../webhooks/describe-release.js';
import { WebhookOrders } from '../webhooks/webhook-orders.js';
import { addressToVault, type Release } from './address-to-vault.js';

type Module = Payload<typeof moduleReleased>;

@Injectable()
export class ModuleReleasedListener {
  constructor(
    private readonly asker: Asker,
    private readonly webhooks: WebhookOrders,
  ) {}

  @Listens(moduleReleased)
  async notifyVault(released: Module[], tx: Transaction): Promise<void> {
    const addressed = await addressToVault(this.asker, released.map(describe));
    await this.webhooks.tell(tx, released.map(describeModule));
    await tellUsers(tx, addressed);
  }
}

/** A MODULE is a workflow that was wrapped. */
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
    page: `/library/module/${module}`,
    type,
    title: isNew ? `New ${noun}: ${name}` : `${name} has a new version`,
    message: `The ${noun} "${name}" is in the library${isNew ? '' : `, version ${number}`}`,
    metadata: { module, module_type: kind, version_number: number, author },
  };
}
