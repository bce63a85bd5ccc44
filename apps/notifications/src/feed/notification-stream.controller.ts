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

/** About 100 KB, which a slow reader makes the gateway hold. */
const PAGE = 200;

@Controller()
export class StreamController {
  constructor(private readonly database: Database) {}

  /** What came behind a number. Without one, and behind one that there never was, it begins now. */
  @OperationHandler(streamNotifications)
  async stream(
    { query }: Input<typeof streamNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof streamNotifications>> {
    const last = await this.lastOf(caller);
    const after = Math.min(query.after ?? last, last);
    // What has a number up to `last` is committed, so the rows that are read after it leave out none of them.
    const rows = after < last ? await this.rowsBehind(after, caller) : [];
    const page = rows.slice(0, PAGE);
    const more = rows.length > PAGE;
    return {
      notifications: page.map((row) => ({ seq: row.seq, notification: toNotification(row) })),
      seq: more ? (page.at(-1)?.seq ?? last) : Math.max(last, page.at(-1)?.seq ?? 0),
      more,
      unseen_count: await countUnseen(this.database.client, caller),
    };
  }

  private async lastOf({ vault: vaultId, user: userId }: Caller): Promise<number> {
    const { notificationFeed } = this.database.client;
    return (await notificationFeed.findUnique({ where: { vaultId_userId: { vaultId, userId } } }))?.seq ?? 0;
  }

  private rowsBehind(after: number, caller: Caller) {
    return this.database.client.notification.findMany({
      where: { ...inVault(caller), userId: caller.user, seq: { gt: after } },
      orderBy: { seq: 'asc' },
      take: PAGE + 1,
    });
  }
}
