import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Time in which a client may take note of a refusal, in milliseconds; most then stop sending by themselves. */
const NOTICE_MS = 5_000;

/**
 * What `take` makes of an upload. Where it fails, the rest of the upload, which may be gigabytes, is let through to nowhere for
 * a moment and not to its end.
 */
export async function takeOrHangUp<T>(request: FastifyRequest, take: () => Promise<T>): Promise<T> {
  try {
    return await take();
  } catch (error) {
    hangUp(request.raw);
    throw error;
  }
}

function hangUp(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), NOTICE_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}
