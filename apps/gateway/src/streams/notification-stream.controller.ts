import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { streamNotifications } from '@millrace/contracts/notifications/notifications';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { CallerResolver } from '../access/current-caller.js';
import { StreamAccess, isAccessDenied } from '../access/stream-access.js';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { EventStream, readLastEventId } from './event-stream.js';
import { NotificationWakers } from './notification-wakers.js';

type Page = Result<typeof streamNotifications>;

/** A stream whose wake-up was lost catches up within this time. */
const POLL_INTERVAL_MS = 20_000;
/** Between two attempts if the notifications service does not respond. */
const RETRY_INTERVAL_MS = 500;

/** How far the client of a stream has received the notifications. */
interface ReaderPosition {
  after: number | undefined;
  unseen: number | undefined;
}

/**
 * A user's notifications as server-sent events. A wake-up carries no data; the next page is fetched after the client has
 * read the one before. A slow client therefore costs one page of memory and still receives everything.
 */
@Controller()
export class NotificationStreamController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly caller: CallerResolver,
    private readonly wakers: NotificationWakers,
  ) {}

  @Route(streamNotifications)
  async stream(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(streamNotifications, request);
    const position: ReaderPosition = { after: readLastEventId(request) ?? readAfter(envelope), unseen: undefined };
    const fetchPage = (from: Envelope) => this.fetchPage(from, position);
    const checks = { currentCaller: () => this.caller.resolve(request), checkRecordAccess: fetchPage };
    const access = new StreamAccess(envelope, checks, reply.raw);
    // Subscribes first, so that no notification is lost between the first page and the first wake-up.
    const { waker, close } = this.wakers.openFor(envelope.caller?.user ?? '');
    reply.raw.once('close', () => waker.wake());
    try {
      let page: Page | null = await fetchPage(envelope);
      if (reply.raw.destroyed) return;
      const stream = new EventStream(reply);
      access.watch();
      for (;;) {
        if (page) await sendPage(stream, access, page, position);
        if (stream.isClosed) return;
        if (!page?.more) await waker.wait(page ? POLL_INTERVAL_MS : RETRY_INTERVAL_MS);
        page = await fetchPage(access.envelope).catch(nullUnlessDenied);
      }
    } finally {
      close();
    }
  }

  private async fetchPage(from: Envelope, { after }: ReaderPosition): Promise<Page> {
    const query = after === undefined ? {} : { after };
    return (await this.rpc.send(streamNotifications, { ...from, query, deadline: Date.now() + 10_000 })) as Page;
  }
}

const readAfter = ({ query }: Envelope) => (query as { after?: number }).after;

/** Sends a page and, after the last page, the number of unseen notifications if it has changed. */
async function sendPage(
  stream: EventStream,
  access: StreamAccess,
  page: Page,
  position: ReaderPosition,
): Promise<void> {
  for (const { seq, notification } of page.notifications) {
    await access.confirm();
    position.after = seq;
    await stream.send('notification', notification, String(seq));
  }
  position.after = page.seq;
  if (page.more || page.unseen_count === position.unseen) return;
  position.unseen = page.unseen_count;
  await access.confirm();
  // Carries the current number as id, so that a client that received nothing else can resume from it.
  await stream.send('count', { unseen_count: position.unseen }, String(position.after));
}

/** An outage of the notifications service is retried; a denial ends the stream. */
function nullUnlessDenied(error: unknown): null {
  if (isAccessDenied(error)) throw error;
  return null;
}
