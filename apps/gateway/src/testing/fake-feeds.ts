import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { notificationFeedChanged, streamNotifications } from '@millrace/contracts/notifications/notifications';
import type { GatewaySystem } from '@millrace/testkit/gateway-system';

type Page = Result<typeof streamNotifications>;

const PAGE_SIZE = 200;

/** A fake notifications service for the streams of notifications. */
export interface FakeFeeds {
  /** Adds `number` notifications to the user's feed and, unless `notify` is false, notifies the gateways. */
  add(caller: Caller, number: number, options?: { notify: boolean }): void;
  /** Marks all notifications of the user as seen. */
  markAllSeen(caller: Caller): void;
  /** Number of pages that were requested for a user. */
  pagesRequestedBy(caller: Caller): number;
  /** While set, every request fails with this error. */
  error: Error | null;
  /** Notifies the gateways that any change may have been missed. */
  notifyAll(): void;
}

/** @param message the message of each notification */
export async function fakeFeeds(system: GatewaySystem, message: string): Promise<FakeFeeds> {
  const service = await system.fake('notifications');
  const feeds = new Map<string, { last: number; unseen: number; pagesRequested: number }>();
  const feedOf = ({ user }: Pick<Caller, 'user'>) => {
    const feed = feeds.get(user) ?? { last: 0, unseen: 0, pagesRequested: 0 };
    feeds.set(user, feed);
    return feed;
  };
  const fake: FakeFeeds = {
    add: (caller, number, { notify } = { notify: true }) => {
      const feed = feedOf(caller);
      feed.last += number;
      feed.unseen += number;
      if (notify) service.broker.publish(notificationFeedChanged, {}, caller.user);
    },
    markAllSeen: (caller) => {
      feedOf(caller).unseen = 0;
      service.broker.publish(notificationFeedChanged, {}, caller.user);
    },
    pagesRequestedBy: (caller) => feedOf(caller).pagesRequested,
    error: null,
    notifyAll: () => service.broker.publish(notificationFeedChanged, {}),
  };
  service.on(streamNotifications, ({ caller, query }) => {
    if (fake.error) throw fake.error;
    const { user } = caller ?? { user: '' };
    const feed = feedOf({ user });
    feed.pagesRequested += 1;
    const after = (query as { after?: number }).after ?? feed.last;
    const seq = Math.min(feed.last, after + PAGE_SIZE);
    const numbers = Array.from({ length: Math.max(0, seq - after) }, (_, index) => after + index + 1);
    return {
      notifications: numbers.map((number) => ({ seq: number, notification: notificationOf(user, number, message) })),
      seq,
      more: seq < feed.last,
      unseen_count: feed.unseen,
    };
  });
  await service.broker.connection.flush();
  return fake;
}

const notificationOf = (user: string, seq: number, message: string): Page['notifications'][number]['notification'] => ({
  id: `notification ${seq}`,
  notification_type: 'RUN_FAILED',
  type: 'RUN_FAILED',
  title: `Number ${seq}`,
  message,
  seen: false,
  is_read: false,
  user_id: user,
  metadata: {},
  created_date: '2026-01-01T00:00:00.000Z',
});
