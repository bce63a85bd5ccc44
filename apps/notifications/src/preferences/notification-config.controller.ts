import { Controller } from '@nestjs/common';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  getNotificationConfig,
  resumeMail,
  updateNotificationConfig,
} from '@millrace/contracts/notifications/notification-config';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { timeOfId } from '@millrace/persistence/ids';
import { mergeConfig, readConfig } from './merge-config.js';

type ConfigRecord = Result<typeof getNotificationConfig>;

@Controller()
export class NotificationConfigController {
  constructor(private readonly database: Database) {}

  @OperationHandler(getNotificationConfig)
  get(_: Input<typeof getNotificationConfig>, { caller }: Context): Promise<ConfigRecord> {
    return describe(this.database.client, caller);
  }

  @OperationHandler(updateNotificationConfig)
  update({ body }: Input<typeof updateNotificationConfig>, { caller }: Context): Promise<ConfigRecord> {
    const key = { vaultId: caller.vault, userId: caller.user };
    return this.database.transaction(async (tx) => {
      // Serializes the changes of one user, so that concurrent changes of different types both apply.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`notification config ${caller.user}`}, 0))`;
      const current = await tx.notificationPreference.findUnique({ where: { vaultId_userId: key } });
      const config = mergeConfig(readConfig(current?.config), body.config);
      await tx.notificationPreference.upsert({
        where: { vaultId_userId: key },
        create: { ...key, config },
        update: { config },
      });
      return describe(tx, caller);
    });
  }

  @OperationHandler(resumeMail)
  resume(_: Input<typeof resumeMail>, { caller }: Context): Promise<ConfigRecord> {
    return this.database.transaction(async (tx) => {
      await tx.pausedAddress.deleteMany({ where: { userId: caller.user } });
      return describe(tx, caller);
    });
  }
}

type Client = Pick<Transaction, 'notificationPreference' | 'pausedAddress'>;

/** A user without stored preferences has the defaults, dated at the creation of the user. */
async function describe(client: Client, { vault: vaultId, user }: Caller): Promise<ConfigRecord> {
  const stored = await client.notificationPreference.findUnique({
    where: { vaultId_userId: { vaultId, userId: user } },
  });
  const paused = await client.pausedAddress.findUnique({ where: { userId: user } });
  return {
    id: user,
    user_info: user,
    modified_date: (stored?.modifiedAt ?? timeOfId(user)).toISOString(),
    config: readConfig(stored?.config),
    ...(paused && { email_paused: { since: paused.since.toISOString(), reason: paused.reason } }),
  };
}
