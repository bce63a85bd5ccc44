import type { Account } from './sign-up.js';

export interface FollowedNotifications {
  titles: string[];
  /** Numbers of the notifications, in order of arrival. */
  numbers: number[];
  /** Each received count of unseen notifications. */
  counts: number[];
  /** The number of the last received event, from which a later stream can resume. */
  last(): number;
  stop(): Promise<void>;
}

/** Follows a user's notifications in the background. */
export function followNotifications({ client }: Account, after?: number): FollowedNotifications {
  const stop = new AbortController();
  let last = after ?? 0;
  const followed: Omit<FollowedNotifications, 'stop' | 'last'> = { titles: [], numbers: [], counts: [] };
  const read = async () => {
    for await (const event of client.notifications.stream({
      signal: stop.signal,
      ...(after !== undefined && { after }),
    })) {
      last = event.seq;
      if (event.type === 'count') followed.counts.push(event.unseenCount);
      else {
        followed.numbers.push(event.seq);
        followed.titles.push(event.notification.title);
      }
    }
  };
  const reading = read().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    ...followed,
    last: () => last,
    stop: async () => {
      stop.abort();
      await reading;
    },
  };
}
