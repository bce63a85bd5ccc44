import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { notificationFeedChanged } from '@millrace/contracts/notifications/notifications';
import { Broker } from '@millrace/messaging/broker/broker';
import { Waker } from './waker.js';

/** Open streams per user and gateway. Each costs a connection, and a request for every new notification. */
const MAX_STREAMS_PER_USER = 50;
/** Seconds after which a refused client may try again; browsers do so by themselves. */
const RETRY_AFTER_SECONDS = 10;

/** Wakes a user's notification streams when their feed changes, and all streams if a change may have been missed. */
@Injectable()
export class NotificationWakers implements OnApplicationBootstrap {
  private readonly wakers = new Set<Waker>();
  private readonly streamsByUser = new Map<string, number>();

  constructor(private readonly broker: Broker) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(notificationFeedChanged, () => this.wakeAll());
    this.broker.onReconnect(() => this.wakeAll());
  }

  /**
   * @returns a waker for one stream, and a function that closes it
   * @throws ApiError `rate_limited` if the user has too many open streams
   */
  openFor(user: string): { waker: Waker; close: () => void } {
    this.changeCount(user, 1);
    const waker = new Waker();
    const unsubscribe = this.broker.subscribe(notificationFeedChanged, () => waker.wake(), user);
    this.wakers.add(waker);
    const close = () => {
      unsubscribe();
      this.wakers.delete(waker);
      this.changeCount(user, -1);
    };
    return { waker, close };
  }

  private changeCount(user: string, by: 1 | -1): void {
    const number = (this.streamsByUser.get(user) ?? 0) + by;
    if (number > MAX_STREAMS_PER_USER) {
      const message = `You have ${MAX_STREAMS_PER_USER} open notification streams, which is the maximum. Close one and try again.`;
      throw new ApiError('rate_limited', message, { retry_after: RETRY_AFTER_SECONDS });
    }
    if (number === 0) this.streamsByUser.delete(user);
    else this.streamsByUser.set(user, number);
  }

  private wakeAll(): void {
    for (const waker of this.wakers) waker.wake();
  }
}
