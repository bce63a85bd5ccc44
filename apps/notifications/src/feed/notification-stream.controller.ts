import { Controller } from '@nestjs/common';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { streamNotifications } from '@millrace/contracts/notifications/notifications';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';
import { countUnseen } from './count-unseen.js';
import { toNotification } from './to-notification.js';

/** About 100 KB, which the gateway buffers for a slow client. */
const PAGE_SIZE = 200;

@Controller()
export class NotificationStreamController {
  constructor(private readonly database: Database) {}

  /** Returns the notifications after a number. Without one, or with one that never existed, the stream begins now. */
  @OperationHandler(streamNotifications)
  async stream(
    { query }: Input<typeof streamNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof streamNotifications>> {
    const last = await this.findLastNumber(caller);
    const after = Math.min(query.after ?? last, last);
    // All notifications up to `last` are committed, so the rows that are read afterwards include all of them.
    const rows = after < last ? await this.findRowsAfter(after, caller) : [];
    const page = rows.slice(0, PAGE_SIZE);
    const more = rows.length > PAGE_SIZE;
    return {
      notifications: page.map((row) => ({ seq: row.seq, notification: toNotification(row) })),
      seq: more ? (page.at(-1)?.seq ?? last) : Math.max(last, page.at(-1)?.seq ?? 0),
      more,
      unseen_count: await countUnseen(this.database.client, caller),
    };
  }

  private async findLastNumber({ vault: vaultId, user: userId }: Caller): Promise<number> {
    const { notificationFeed } = this.database.client;
    return (await notificationFeed.findUnique({ where: { vaultId_userId: { vaultId, userId } } }))?.seq ?? 0;
  }

  private findRowsAfter(after: number, caller: Caller) {
    return this.database.client.notification.findMany({
      where: { ...inVault(caller), userId: caller.user, seq: { gt: after } },
      orderBy: { seq: 'asc' },
      take: PAGE_SIZE + 1,
    });
  }
}
