import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { listNotifications } from '@millrace/contracts/notifications/notifications';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { matching, pageOf } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { toNotification } from './to-notification.js';

@Controller()
export class NotificationsController {
  constructor(private readonly database: Database) {}

  @Handles(listNotifications)
  async list(
    { query }: Input<typeof listNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof listNotifications>> {
    const where = {
      ...inVault(caller),
      userId: caller.user,
      ...(query.seen !== undefined && { seen: query.seen }),
      ...(query.notification_type && { type: query.notification_type }),
      ...matching(query.search, ['title', 'message']),
    };
    const { notification } = this.database.client;
    const [rows, count] = await Promise.all([
      notification.findMany({ where, ...pageOf(query, { created_date: 'createdAt' }) }),
      notification.count({ where }),
    ]);
    return { results: rows.map(toNotification), count };
  }
}
