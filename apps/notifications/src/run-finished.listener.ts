import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { runFinished } from '@millrace/contracts/runs/runs';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { describeRunEnd } from './describe-run-end.js';
import { insertNotifications } from './insert-notifications.js';
import { describeRun } from './webhooks/describe-run.js';
import { WebhookOrders } from './webhooks/webhook-orders.js';

@Injectable()
export class RunFinishedListener {
  constructor(private readonly webhooks: WebhookOrders) {}

  @Listens(runFinished)
  async notifyAuthors(runs: Payload<typeof runFinished>[], tx: Transaction): Promise<void> {
    const rows = runs.flatMap((run) => {
      const said = describeRunEnd(run);
      return said ? [{ vault: run.vault, user: run.author, ...said }] : [];
    });
    await this.webhooks.tell(tx, runs.flatMap(describeRun));
    await insertNotifications(tx, rows);
  }
}
