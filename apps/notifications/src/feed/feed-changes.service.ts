import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { notificationFeedChanged } from '@millrace/contracts/notifications/notifications';
import { Broker } from '@millrace/messaging/broker/broker';
import { Database, type Transaction } from '@millrace/persistence/database';
import type { PgListener } from '@millrace/persistence/pg-listener';

/** The Postgres channel of `FeedChangesService`. */
const FEEDS_CHANNEL = 'notification_feeds';

/** Notifies, at the commit, the streams of these users that their notifications have changed. */
export async function notifyFeeds(tx: Pick<Transaction, '$executeRaw'>, users: readonly string[]): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${FEEDS_CHANNEL}, u) FROM unnest(${users}::text[]) u`;
}

/**
 * Notifies the gateways of the users whose notifications have changed. Postgres notifies this service at the commit of
 * each change. After an outage of Postgres or the broker, it notifies the gateways that they may have missed any change.
 */
@Injectable()
export class FeedChangesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listener: PgListener;

  constructor(
    private readonly broker: Broker,
    database: Database,
  ) {
    this.listener = database.createListener(FEEDS_CHANNEL, {
      onNotification: (user) => this.notifyGateways(user),
      onConnect: () => this.notifyGateways(),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.broker.onReconnect(() => this.notifyGateways());
    await this.listener.open();
  }

  onApplicationShutdown(): Promise<void> {
    return this.listener.close();
  }

  private notifyGateways(user?: string): void {
    if (this.broker.isConnected) this.broker.publish(notificationFeedChanged, {}, user);
  }
}
