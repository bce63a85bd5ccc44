import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { notificationFeedChanged, streamNotifications } from '@millrace/contracts/notifications/notifications';
import type { GatewaySystem } from '@millrace/testkit/gateway-system';

type Page = Result<typeof streamNotifications>;

const PAGE = 200;

/** The service behind streams of notifications, as far as it promises something to them. */
export interface PlayedFeeds {
  /** From now on the user has so many notifications; whether gateways are told is the test's choice. */
  add(caller: Caller, number: number, options?: { tell: boolean }): void;
  /** All of them are seen. */
  see(caller: Caller): void;
  /** How many pages were asked for by a user. */
  askedBy(caller: Caller): number;
  /** What it answers with instead, as long as it is set. */
  fail: Error | null;
  /** Tells that anything may have been missed. */
  tellAll(): void;
}

/** @param message that each notification says */
export async function playNotifications(system: GatewaySystem, message: string): Promise<PlayedFeeds> {
  const service = await system.play('notifications');
  const feeds = new Map<string, { last: number; unseen: number; asked: number }>();
  const of = ({ user }: Pick<Caller, 'user'>) => {
    const feed = feeds.get(user) ?? { last: 0, unseen: 0, asked: 0 };
    feeds.set(user, feed);
    return feed;
  };
  const played: PlayedFeeds = {
    add: (caller, number, { tell } = { tell: true }) => {
      const feed = of(caller);
      feed.last += number;
      feed.unseen += number;
      if (tell) service.broker.publish(notificationFeedChanged, {}, caller.user);
    },
    see: (caller) => {
      of(caller).unseen = 0;
      service.broker.publish(notificationFeedChanged, {}, caller.user);
    },
    askedBy: (caller) => of(caller).asked,
    fail: null,
    tellAll: () => service.broker.publish(notificationFeedChanged, {}),
  };
  service.on(streamNotifications, ({ caller, query }) => {
    if (played.fail) throw played.fail;
    const { user } = caller ?? { user: '' };
    const feed = of({ user });
    feed.asked += 1;
    const after = (query as { after?: number }).after ?? feed.last;
    const seq = Math.min(feed.last, after + PAGE);
    const numbers = Array.from({ length: Math.max(0, seq - after) }, (_, index) => after + index + 1);
    return {
      notifications: numbers.map((number) => ({ seq: number, notification: notificationOf(user, number, message) })),
      seq,
      more: seq < feed.last,
      unseen_count: feed.unseen,
    };
  });
  await service.broker.connection.flush();
  return played;
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
