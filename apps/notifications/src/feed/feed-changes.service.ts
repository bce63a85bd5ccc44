import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { feedChanged } from '@millrace/contracts/notifications/notifications';
import { Broker } from '@millrace/messaging/broker';
import { Database } from '@millrace/persistence/database';
import type { NoticeBoard } from '@millrace/persistence/notice-board';
import { CHANNEL } from './tell-feeds.js';

/**
 * Passes on to the gateways whose notifications have changed. Postgres tells it at the commit of each change; where that,
 * or the broker, was out of reach for a while, gateways are told that they may have missed anything.
 */
@Injectable()
export class FeedChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly board: NoticeBoard;

  constructor(
    private readonly broker: Broker,
    database: Database,
  ) {
    this.board = database.board(CHANNEL, { told: (user) => this.tell(user), began: () => this.tell() });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.broker.onReconnect(() => this.tell());
    await this.board.open();
  }

  onApplicationShutdown(): Promise<void> {
    return this.board.close();
  }

  private tell(user?: string): void {
    if (this.broker.isConnected) this.broker.tell(feedChanged, {}, user);
  }
}
