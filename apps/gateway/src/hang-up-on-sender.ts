import type { FastifyRequest } from 'fastify';

/** Time in which a client may take note of a refusal, in milliseconds; most then stop sending by themselves. */
const NOTICE_MS = 5_000;

/** The rest of a refused upload, which may be gigabytes, is let through to nowhere for a moment and not to its end. */
export function hangUpOnSender({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), NOTICE_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}
