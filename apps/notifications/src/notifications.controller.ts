import { Controller } from '@nestjs/common';
import { NotFound } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  clearNotifications,
  deleteNotification,
  listNotifications,
  markNotifications,
  updateNotification,
} from '@millrace/contracts/notifications/notifications';
import type { Context } from '@millrace/messaging/context';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { matching, pageOf } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { countUnseen } from './feed/count-unseen.js';
import { tellFeeds } from './feed/tell-feeds.js';
import { toNotification } from './to-notification.js';

/** Of the caller alone: nobody sees the notifications of others, whatever their role. */
@Controller()
export class NotificationsController {
  constructor(private readonly database: Database) {}

  @Handles(listNotifications)
  async list(
    { query }: Input<typeof listNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof listNotifications>> {
    const where = { ...filter(caller, query), ...matching(query.search, ['title', 'message']) };
    const { client } = this.database;
    const [rows, count, unseen] = await Promise.all([
      client.notification.findMany({ where, ...pageOf(query, { created_date: 'createdAt' }) }),
      client.notification.count({ where }),
      countUnseen(client, caller),
    ]);
    return { results: rows.map(toNotification), count, unseen_count: unseen };
  }

  @Handles(updateNotification)
  async update(
    { params, body }: Input<typeof updateNotification>,
    { caller }: Context,
  ): Promise<Result<typeof updateNotification>> {
    return this.database.transaction(async (tx) => {
      const where = { ...filter(caller), ...byId(params.id) };
      const [row] =
        body.seen === undefined
          ? await tx.notification.findMany({ where })
          : await tx.notification.updateManyAndReturn({ where, data: { seen: body.seen } });
      if (!row) throw new NotFound('Notification');
      if (body.seen !== undefined) await tellFeeds(tx, [caller.user]);
      return toNotification(row);
    });
  }

  @Handles(deleteNotification)
  async delete(
    { params }: Input<typeof deleteNotification>,
    { caller }: Context,
  ): Promise<Result<typeof deleteNotification>> {
    return this.database.transaction(async (tx) => {
      const { count } = await tx.notification.deleteMany({ where: { ...filter(caller), ...byId(params.id) } });
      if (count === 0) throw new NotFound('Notification');
      await tellFeeds(tx, [caller.user]);
      return { success: true };
    });
  }

  @Handles(markNotifications)
  async mark(
    { body }: Input<typeof markNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof markNotifications>> {
    const ids = body.ids?.filter(isId);
    return this.database.transaction(async (tx) => {
      const where = { ...filter(caller, { ...body, seen: false }), ...(ids && { id: { in: ids } }) };
      const { count } = await tx.notification.updateMany({ where, data: { seen: true } });
      if (count > 0) await tellFeeds(tx, [caller.user]);
      return { success: true, updated: count };
    });
  }

  @Handles(clearNotifications)
  async clear(
    { query }: Input<typeof clearNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof clearNotifications>> {
    return this.database.transaction(async (tx) => {
      const { count } = await tx.notification.deleteMany({ where: filter(caller, query) });
      if (count > 0) await tellFeeds(tx, [caller.user]);
      return { success: true, deleted: count };
    });
  }
}

interface Filter {
  seen?: boolean | undefined;
  notification_type?: string | undefined;
}

const filter = (caller: Caller, { seen, notification_type: type }: Filter = {}) => ({
  ...inVault(caller),
  userId: caller.user,
  ...(seen !== undefined && { seen }),
  ...(type !== undefined && { type }),
});

/** @throws NotFound for what cannot be an id of ours */
function byId(id: string): { id: string } {
  if (!isId(id)) throw new NotFound('Notification');
  return { id };
}
