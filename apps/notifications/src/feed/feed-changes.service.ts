import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { notificationFeedChanged } from '@millrace/contracts/notifications/notifications';
import { Broker } from '@millrace/messaging/broker/broker';
import { Database } from '@millrace/persistence/database';
import type { PgListener } from '@millrace/persistence/pg-listener';
import { CHANNEL } from './notify-feeds.js';

/**
 * Passes on to the gateways whose notifications have changed. Postgres tells it at the commit of each change; where that,
 * or the broker, was out of reach for a while, gateways are told that they may have missed anything.
 */
@Injectable()
export class FeedChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly board: PgListener;

  constructor(
    private readonly broker: Broker,
    database: Database,
  ) {
    this.board = database.createListener(CHANNEL, {
      onNotification: (user) => this.tell(user),
      onConnect: () => this.tell(),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.broker.onReconnect(() => this.tell());
    await this.board.open();
  }

  onApplicationShutdown(): Promise<void> {
    return this.board.close();
  }

  private tell(user?: string): void {
    if (this.broker.isConnected) this.broker.publish(notificationFeedChanged, {}, user);
  }
}
