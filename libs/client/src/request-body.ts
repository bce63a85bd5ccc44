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
  const reader = (content as ReadableStream<Uint8Array>).getReader();
  const body: OpenBody = {};
  body.content = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          body.failure = { error };
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return body;
}
