import { setTimeout as sleep } from 'node:timers/promises';
import { iterateStream } from '@millrace/sdk/iterate-stream';
import { readFrames } from '@millrace/sdk/read-frames';
import type { Account } from './sign-up.js';

export interface FollowedNotifications {
  titles: string[];
  /** Numbers of the notifications, in the order in which they came. */
  numbers: number[];
  /** Each number of unseen ones that was told. */
  counts: number[];
  /** Id of the last event. */
  last(): string | undefined;
  stop(): Promise<void>;
}

/** Follows a user's notifications as a browser does: a stream that breaks goes on behind the last event. */
export function followNotifications(url: string, reader: Account, after?: string): FollowedNotifications {
  const stop = new AbortController();
  let last = after;
  const followed: Omit<FollowedNotifications, 'stop' | 'last'> = { titles: [], numbers: [], counts: [] };
  const take = (event: string, data: { title?: string; unseen_count?: number }) => {
    if (event === 'count') return void followed.counts.push(data.unseen_count ?? -1);
    followed.numbers.push(Number(last));
    followed.titles.push(data.title ?? '');
  };
  const readOnce = async () => {
    const headers = { authorization: `Bearer ${reader.access}`, ...(last !== undefined && { 'last-event-id': last }) };
    const response = await fetch(`${url}/api/notifications/stream`, { headers, signal: stop.signal });
    if (!response.ok || response.body === null) return;
    for await (const { id, event, data } of readFrames(iterateStream(response.body))) {
      last = id ?? last;
      take(event, JSON.parse(data) as Parameters<typeof take>[1]);
    }
  };
  const read = async () => {
    while (!stop.signal.aborted) {
      await readOnce().catch(() => undefined);
      if (!stop.signal.aborted) await sleep(100);
    }
  };
  const reading = read();
  return {
    ...followed,
    last: () => last,
    stop: async () => {
      stop.abort();
      await reading;
    },
  };
}
