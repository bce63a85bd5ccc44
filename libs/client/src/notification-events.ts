import type { CoreClient } from './core.js';
import { notifications } from './generated/operations.js';
import type { Notification } from './generated/types.js';
import { openStream } from './open-stream.js';
import { readFrames, type Frame } from './read-frames.js';
import { reconnect } from './reconnect.js';

/** A notification with its number, or the new count of unseen notifications with the number of the last notification sent. */
export type NotificationEvent =
  | { type: 'notification'; seq: number; notification: Notification }
  | { type: 'count'; seq: number; unseenCount: number };

export interface NotificationEventsOptions {
  /** Number of the last notification that the caller already has; default: only new notifications. */
  after?: number;
  signal?: AbortSignal;
}

/** The server writes a comment every 15 seconds if there is no event. */
const SILENCE_TIMEOUT_MS = 60_000;

/** Follows the notifications of the caller, without end. After a lost connection it continues after the last notification. */
export async function* notificationEvents(
  client: CoreClient,
  { after, signal }: NotificationEventsOptions = {},
): AsyncGenerator<NotificationEvent, void> {
  let last = after;
  async function* open(): AsyncGenerator<NotificationEvent, boolean> {
    const query = last === undefined ? {} : { after: last };
    const input = { query, ...(signal && { signal }) };
    const { chunks } = await openStream(client, notifications.stream, input, {
      type: 'text/event-stream',
      silenceTimeoutMs: SILENCE_TIMEOUT_MS,
    });
    for await (const frame of readFrames(chunks)) {
      const event = readEvent(frame);
      if (event === null) continue;
      last = event.seq;
      yield event;
    }
    return false;
  }
  yield* reconnect(open, signal);
}

/** Returns null for an event type of a later version. */
function readEvent({ id, event, data }: Frame): NotificationEvent | null {
  const seq = Number(id);
  const payload = JSON.parse(data) as unknown;
  if (event === 'notification') return { type: event, seq, notification: payload as Notification };
  if (event === 'count') return { type: event, seq, unseenCount: (payload as { unseen_count: number }).unseen_count };
  return null;
}
