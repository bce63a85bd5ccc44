import { ConnectionError } from './millrace-error.js';
import { watchStream } from './watch-stream.js';

interface SentRequest {
  url: string;
  signal?: AbortSignal;
}

/** The error of a response whose body cannot be read to its end; the reason of the signal if the caller aborted the request. */
export const toLostConnection = (error: unknown, { url, signal }: SentRequest): unknown =>
  signal?.aborted ? error : new ConnectionError(url, error, true);

/** Passes the body of a response on. It fails with a ConnectionError if the connection is lost. */
export const passBody = (body: ReadableStream<Uint8Array>, request: SentRequest): ReadableStream<Uint8Array> =>
  watchStream(body, (error) => toLostConnection(error, request));
