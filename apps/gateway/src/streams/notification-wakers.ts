import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { notificationFeedChanged } from '@millrace/contracts/notifications/notifications';
import { Broker } from '@millrace/messaging/broker/broker';
import { Waker } from './waker.js';

/** Streams of one user at once, here. Each costs a connection and a question for everything new. */
const MAX_OF_USER = 50;
/** Before one more may be tried; browsers try again by themselves. */
const RETRY_SECONDS = 10;

/** Wakes the streams of a user's notifications where there is something new, and all of them where that may have been missed. */
@Injectable()
export class NotificationWakers implements OnApplicationBootstrap {
  private readonly open = new Set<Waker>();
  private readonly byUser = new Map<string, number>();

  constructor(private readonly broker: Broker) {}

  onApplicationBootstrap(): void {
    this.broker.subscribe(notificationFeedChanged, () => this.wakeAll());
    this.broker.onReconnect(() => this.wakeAll());
  }

  /**
   * @returns a waker for one stream, and a function that ends it
   * @throws ApiError `rate_limited` where the user has too many open
   */
  of(user: string): { waker: Waker; close: () => void } {
    this.count(user, 1);
    const waker = new Waker();
    const deaf = this.broker.subscribe(notificationFeedChanged, () => waker.wake(), user);
    this.open.add(waker);
    const close = () => {
      deaf();
      this.open.delete(waker);
      this.count(user, -1);
    };
    return { waker, close };
  }

  private count(user: string, by: 1 | -1): void {
    const number = (this.byUser.get(user) ?? 0) + by;
    if (number > MAX_OF_USER)
      throw new ApiError('rate_limited', 'Too many streams are open', { retry_after: RETRY_SECONDS });
    if (number === 0) this.byUser.delete(user);
    else this.byUser.set(user, number);
  }

  private wakeAll(): void {
    for (const waker of this.open) waker.wake();
  }
}
