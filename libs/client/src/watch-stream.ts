/**
 * Passes a stream on. It reads no chunk before the reader of the new stream requests it.
 * @param toError returns the error of the new stream for one of the stream
 */
export function watchStream(
  stream: ReadableStream<Uint8Array>,
  toError: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(toError(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
