import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { markLive } from '../http/request-drain.js';
import { rawResponseHeaders } from '../http/security-headers.js';

/** Interval of comments, which keep proxies from closing a quiet stream. */
const KEEP_ALIVE_INTERVAL_MS = 15_000;

/** Server-sent events on a reply (WHATWG HTML, section 9.2). */
export class EventStream {
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly reply: FastifyReply) {
    beginRawResponse(reply, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    this.timer = setInterval(() => reply.raw.write(': here\n\n'), KEEP_ALIVE_INTERVAL_MS);
    reply.raw.on('close', () => clearInterval(this.timer));
  }

  get isClosed(): boolean {
    const { closed, destroyed, writableEnded } = this.reply.raw;
    return closed || destroyed || writableEnded;
  }

  /** Writes one event, and waits if the reader is slow. */
  async send(event: string, data: unknown, id?: string): Promise<void> {
    if (this.isClosed) return;
    const frame = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (!this.reply.raw.write(frame) && !this.isClosed) await this.waitForDrain();
  }

  /** Removes its listeners: a slow reader causes thousands of waits on one connection. */
  private waitForDrain(): Promise<void> {
    const { raw } = this.reply;
    return new Promise((resolve) => {
      const done = () => {
        raw.off('drain', done).off('close', done);
        resolve();
      };
      raw.on('drain', done).on('close', done);
    });
  }

  async end(event: string, data: unknown): Promise<void> {
    await this.send(event, data);
    clearInterval(this.timer);
    this.reply.raw.end();
  }
}

/**
 * Sends the headers of a response whose body is written past Fastify, without waiting for the first byte of the body: a
 * client of a quiet stream sees at once that the request succeeded. A HEAD response ends here, because an unfinished body
 * would block the client's next request on the connection.
 */
export function beginRawResponse(reply: FastifyReply, headers: OutgoingHttpHeaders, status = 200): void {
  reply.hijack();
  markLive(reply.raw);
  reply.raw.writeHead(status, rawResponseHeaders(reply, headers));
  if (reply.request.method === 'HEAD') reply.raw.end();
  else reply.raw.flushHeaders();
}

/** Number of the last event that the client received before it reconnected (WHATWG HTML, 9.2.4). */
export function readLastEventId(request: FastifyRequest): number | undefined {
  const id = request.headers['last-event-id'];
  return typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : undefined;
}
