import { createParser } from 'eventsource-parser';

/** A server-sent event. `id` is null for an event without an id of its own. */
export interface Frame {
  id: string | null;
  event: string;
  data: string;
}

/**
 * Parses a stream of server-sent events (WHATWG HTML, section 9.2). Skips comments, events without data, and an event that
 * the end of the stream cuts off.
 */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  let frames: Frame[] = [];
  const parser = createParser({
    onEvent: ({ id = null, event = 'message', data }) => frames.push({ id, event, data }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* frames;
    frames = [];
  }
}
