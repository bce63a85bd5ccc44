import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { feedChanged } from '@millrace/contracts/notifications/notifications';
import { Broker } from '@millrace/messaging/broker';
import { Waker } from './waker.js';

/** Wakes the streams of a user's notifications where there is something new, and all of them where that may have been missed. */
@Injectable()
export class NotificationWakers implements OnApplicationBootstrap {
  private readonly open = new Set<Waker>();

  constructor(private readonly broker: Broker) {}

  onApplicationBootstrap(): void {
    this.broker.hear(feedChanged, () => this.wakeAll());
    this.broker.onReconnect(() => this.wakeAll());
  }

  /** @returns a waker for one stream, and a function that ends it */
  of(user: string): { waker: Waker; close: () => void } {
    const waker = new Waker();
    const deaf = this.broker.hear(feedChanged, () => waker.wake(), user);
    this.open.add(waker);
    const close = () => {
      deaf();
      this.open.delete(waker);
    };
    return { waker, close };
  }

  private wakeAll(): void {
    for (const waker of this.open) waker.wake();
  }
}
