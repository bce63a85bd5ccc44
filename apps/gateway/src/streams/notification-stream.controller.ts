import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { streamNotifications } from '@millrace/contracts/notifications/notifications';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { CurrentCaller } from '../access/current-caller.js';
import { isRefusal, LastingAccess } from '../access/stream-access.js';
import { readRequest } from '../routes/read-request.js';
import { Serves } from '../routes/route.js';
import { EventStream } from './event-stream.js';
import { lastEventId } from './last-event-id.js';
import { NotificationWakers } from './notification-wakers.js';

type Page = Result<typeof streamNotifications>;

/** Should a wake-up be lost in spite of all, the stream catches up within this time. */
const SAFETY_NET_MS = 20_000;
/** Between two tries where the service does not answer. */
const RETRY_MS = 500;

/** What the reader of a stream has. */
interface Told {
  after: number | undefined;
  unseen: number | undefined;
}

/**
 * A user's notifications as server-sent events. A wake-up carries nothing; what is new is asked for when the reader has
 * taken what came before. So a slow reader costs one page of memory, and gets everything in the end.
 */
@Controller()
export class NotificationStreamController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly caller: CurrentCaller,
    private readonly wakers: NotificationWakers,
  ) {}

  @Serves(streamNotifications)
  async stream(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(streamNotifications, request);
    const told: Told = { after: lastEventId(request) ?? givenAfter(envelope), unseen: undefined };
    const ask = (from: Envelope) => this.ask(from, told);
    const sources = { currentCaller: () => this.caller.behind(request), enter: ask };
    const access = new LastingAccess(envelope, sources, reply.raw);
    // Listens first, so that nothing falls between the first answer and the first wake-up.
    const { waker, close } = this.wakers.of(envelope.caller?.user ?? '');
    reply.raw.once('close', () => waker.wake());
    try {
      let page: Page | null = await ask(envelope);
      if (reply.raw.destroyed) return;
      const stream = new EventStream(reply);
      access.watch();
      for (;;) {
        if (page) await send(stream, access, page, told);
        if (stream.isClosed) return;
        if (!page?.more) await waker.wait(page ? SAFETY_NET_MS : RETRY_MS);
        page = await ask(access.envelope).catch(orNothing);
      }
    } finally {
      close();
    }
  }

  private async ask(from: Envelope, { after }: Told): Promise<Page> {
    const query = after === undefined ? {} : { after };
    return (await this.rpc.send(streamNotifications, { ...from, query, deadline: Date.now() + 10_000 })) as Page;
  }
}

const givenAfter = ({ query }: Envelope) => (query as { after?: number }).after;

/** Sends a page, and behind the last one how many are unseen, where that is another number than the reader has. */
async function send(stream: EventStream, access: LastingAccess, page: Page, told: Told): Promise<void> {
  for (const { seq, notification } of page.notifications) {
    await access.confirm();
    told.after = seq;
    await stream.send('notification', notification, String(seq));
  }
  told.after = page.seq;
  if (page.more || page.unseen_count === told.unseen) return;
  told.unseen = page.unseen_count;
  await access.confirm();
  // Under the number so far: who is told nothing else can still go on behind it.
  await stream.send('count', { unseen_count: told.unseen }, String(told.after));
}

/** A service that is being restarted is asked again; one that refuses has ended the stream. */
function orNothing(error: unknown): null {
  if (isRefusal(error)) throw error;
  return null;
}
