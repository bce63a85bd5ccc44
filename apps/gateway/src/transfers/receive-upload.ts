import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** How long a client has to read a rejection, in milliseconds. Most clients then stop sending. */
const REJECTION_READ_TIMEOUT_MS = 5_000;

/**
 * Runs `receive` on an upload. If it fails, discards the rest of the upload for a moment, so that the client can read the
 * error, and then closes the connection: the rest may be gigabytes.
 */
export async function receiveUpload<T>(request: FastifyRequest, receive: () => Promise<T>): Promise<T> {
  try {
    return await receive();
  } catch (error) {
    closeSoon(request.raw);
    throw error;
  }
}

function closeSoon(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), REJECTION_READ_TIMEOUT_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}

/** Passes on at most `maxBytes` bytes, then throws `error()`. */
export async function* limitBytes(
  content: AsyncIterable<Buffer>,
  maxBytes: number,
  error: () => Error,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maxBytes) throw error();
    yield chunk;
  }
}
