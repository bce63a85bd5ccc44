import { Controller } from '@nestjs/common';
import { NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  clearNotifications,
  deleteNotification,
  listNotifications,
  markNotifications,
  updateNotification,
} from '@millrace/contracts/notifications/notifications';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { isId } from '@millrace/persistence/ids';
import { pageArgs, searchFilter } from '@millrace/persistence/list';
import { inVault } from '@millrace/persistence/tenancy';
import { countUnseen } from './count-unseen.js';
import { notifyFeeds } from './feed-changes.service.js';
import { toNotification } from './to-notification.js';

/** The caller's own notifications. No role shows the notifications of others. */
@Controller()
export class NotificationsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(listNotifications)
  async list(
    { query }: Input<typeof listNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof listNotifications>> {
    const where = { ...filter(caller, query), ...searchFilter(query.search, ['title', 'message']) };
    const { client } = this.database;
    const [rows, count, unseen] = await Promise.all([
      client.notification.findMany({ where, ...pageArgs(query, { created_date: 'createdAt' }) }),
      client.notification.count({ where }),
      countUnseen(client, caller),
    ]);
    return { results: rows.map(toNotification), count, unseen_count: unseen };
  }

  @OperationHandler(updateNotification)
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
      if (!row) throw new NotFoundError(`Notification ${params.id}`);
      if (body.seen !== undefined) await notifyFeeds(tx, [caller.user]);
      return toNotification(row);
    });
  }

  @OperationHandler(deleteNotification)
  async delete(
    { params }: Input<typeof deleteNotification>,
    { caller }: Context,
  ): Promise<Result<typeof deleteNotification>> {
    return this.database.transaction(async (tx) => {
      const { count } = await tx.notification.deleteMany({ where: { ...filter(caller), ...byId(params.id) } });
      if (count === 0) throw new NotFoundError(`Notification ${params.id}`);
      await notifyFeeds(tx, [caller.user]);
      return { success: true };
    });
  }

  @OperationHandler(markNotifications)
  async mark(
    { body }: Input<typeof markNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof markNotifications>> {
    const ids = body.ids?.filter(isId);
    return this.database.transaction(async (tx) => {
      const where = { ...filter(caller, { ...body, seen: false }), ...(ids && { id: { in: ids } }) };
      const { count } = await tx.notification.updateMany({ where, data: { seen: true } });
      if (count > 0) await notifyFeeds(tx, [caller.user]);
      return { success: true, updated: count };
    });
  }

  @OperationHandler(clearNotifications)
  async clear(
    { query }: Input<typeof clearNotifications>,
    { caller }: Context,
  ): Promise<Result<typeof clearNotifications>> {
    return this.database.transaction(async (tx) => {
      const { count } = await tx.notification.deleteMany({ where: filter(caller, query) });
      if (count > 0) await notifyFeeds(tx, [caller.user]);
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

/** @throws NotFoundError if `id` is not a valid id */
function byId(id: string): { id: string } {
  if (!isId(id)) throw new NotFoundError(`Notification ${id}`);
  return { id };
}
