import { ConnectionError } from './millrace-error.js';

interface SentRequest {
  url: string;
  signal?: AbortSignal;
}

/** The error of a response whose body cannot be read to its end; the reason of the signal if the caller aborted the request. */
export const toLostConnection = (error: unknown, { url, signal }: SentRequest): unknown =>
  signal?.aborted ? error : new ConnectionError(url, error, true);

/** Passes the body of a response on. It fails with a ConnectionError if the connection is lost. */
export function passBody(body: ReadableStream<Uint8Array>, request: SentRequest): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(toLostConnection(error, request));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Reads no chunk before the reader of this stream requests it.
    { highWaterMark: 0 },
  );
}
