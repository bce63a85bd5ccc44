import { buildUrl } from './build-url.js';
import type { LooseInput } from './call-input.js';
import type { CoreClient } from './core.js';
import { iterateStream } from './iterate-stream.js';
import { toLostConnection } from './lost-connection.js';
import type { Operation } from './operation.js';
import { requireType } from './read-response.js';

export interface StreamOptions {
  /** The media type that the response must have. */
  type: 'text/event-stream' | 'text/plain';
  headers?: Record<string, string>;
  /** Fails a stream that sends nothing for this long. */
  silenceTimeoutMs?: number;
}

/** A response while it arrives. `chunks` throws a ConnectionError if the connection is lost. */
export interface OpenStream {
  headers: Headers;
  chunks: AsyncGenerator<Uint8Array, void>;
}

/**
 * Sends an operation, and opens its response as a stream.
 * @throws UnexpectedResponseError if the response has another media type, so probably another server sent it
 */
export async function openStream(
  client: CoreClient,
  operation: Operation,
  input: LooseInput,
  { type, headers = {}, silenceTimeoutMs }: StreamOptions,
): Promise<OpenStream> {
  const response = await client.send(operation, input, { accept: type, ...headers });
  try {
    requireType(operation, client.baseUrl, response, type);
  } catch (error) {
    await response.body?.cancel();
    throw error;
  }
  const request = {
    url: buildUrl(client.baseUrl, operation.path, input.params, input.query),
    ...(input.signal && { signal: input.signal }),
  };
  return { headers: response.headers, chunks: readChunks(response, request, silenceTimeoutMs) };
}

async function* readChunks(
  { body }: Response,
  request: Parameters<typeof toLostConnection>[1],
  silenceTimeoutMs: number | undefined,
): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  try {
    yield* iterateStream(body, silenceTimeoutMs);
  } catch (error) {
    throw toLostConnection(error, request);
  }
}
