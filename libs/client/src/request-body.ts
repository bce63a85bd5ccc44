import { watchStream } from './watch-stream.js';

type Body = NonNullable<RequestInit['body']>;

/** The body of one attempt. */
export interface OpenBody {
  content?: Body;
  /** The error of the caller's stream. The connection is not its cause. */
  failure?: { error: unknown };
}

/** Opens a body, and watches it if it is a stream. */
export function openBody(open?: () => Body): OpenBody {
  const content = open?.();
  if (content === undefined) return {};
  if (!(content instanceof ReadableStream)) return { content };
  const body: OpenBody = {};
  body.content = watchStream(content as ReadableStream<Uint8Array>, (error) => {
    body.failure = { error };
    return error;
  });
  return body;
}
