import { Injectable } from '@nestjs/common';
import { tableChanged, tablesDeleted } from '@millrace/contracts/datasets/table-changes';
import type { Payload } from '@millrace/contracts/kit/event';
import { notifyTableChange } from '@millrace/contracts/notifications/table-changes';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { disableFilteredWebhooks } from '../webhooks/settings/disable-filtered-webhooks.js';
import { findSubscriptions, type TableChange } from './find-subscriptions.js';

/** Records changes of tables that have a follower or a webhook. A job notifies them, because that takes queries of the table. */
@Injectable()
export class TableChangedListener {
  @EventHandler(tableChanged)
  async record(changes: TableChange[], tx: Transaction): Promise<void> {
    const subscriptionsTo = await findSubscriptions(tx, changes);
    const pending = changes
      .filter((change) => {
        const { webhooks, follows } = subscriptionsTo(change);
        return webhooks.length + follows.length > 0;
      })
      .map((change) => ({ id: newId(), change }));
    if (pending.length === 0) return;
    await tx.pendingTableChange.createMany({ data: pending });
    for (const { id } of pending) tx.enqueue(notifyTableChange, { id }, { id });
  }

  @EventHandler(tablesDeleted)
  async deleteFollows(deleted: Payload<typeof tablesDeleted>[], tx: Transaction): Promise<void> {
    const datasets = deleted.flatMap(({ vault, datasets: ids }) => ids.map((id) => ({ vault, id })));
    const views = deleted.flatMap(({ vault, views: ids }) => ids.map((id) => ({ vault, id })));
    const idsOf = (targets: readonly { id: string }[]) => targets.map(({ id }) => id);
    await tx.tableFollow.deleteMany({
      where: { OR: [{ datasetId: { in: idsOf(datasets) } }, { targetId: { in: idsOf(views) } }] },
    });
    await disableFilteredWebhooks(tx, 'dataset_id', datasets);
    await disableFilteredWebhooks(tx, 'view_id', views);
  }
}
