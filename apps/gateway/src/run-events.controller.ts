import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { runChanged } from '@millrace/contracts/runs/engine';
import { runEvents } from '@millrace/contracts/runs/runs';
import { isFinalRun } from '@millrace/contracts/runs/statuses';
import { Asker } from '@millrace/messaging/asker';
import { Broker } from '@millrace/messaging/broker';
import { ChangeInbox, type Page } from './change-inbox.js';
import { EventStream } from './event-stream.js';
import { readRequest } from './read-request.js';
import { Serves } from './serves.js';

/** Should a wake-up be lost, the stream catches up within this time. */
const SAFETY_NET_MS = 5_000;

/** Status changes of a run as server-sent events: those told meanwhile come along with the signal, all others are asked for. */
@Controller()
export class RunEventsController {
  constructor(
    private readonly asker: Asker,
    private readonly broker: Broker,
  ) {}

  @Serves(runEvents)
  async events(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const lastId = request.headers['last-event-id'];
    const envelope = readRequest(runEvents, request);
    const { id: run } = envelope.params as { id: string };
    let after =
      typeof lastId === 'string' && /^\d{1,9}$/.test(lastId)
        ? Number(lastId)
        : (envelope.query as { after: number }).after;
    const inbox = new ChangeInbox();
    const deaf = this.broker.hear(runChanged, (told) => inbox.put(told), run);
    try {
      const ask = async () =>
        (await this.asker.send(runEvents, { ...envelope, query: { after }, deadline: Date.now() + 10_000 })) as Page;
      // The first answer decides between an error and a stream.
      let page = await ask();
      const stream = new EventStream(reply);
      for (;;) {
        for (const { seq, change } of page.changes) {
          after = seq;
          await stream.send('change', change, String(seq));
        }
        if (stream.isClosed) return;
        if (isFinalRun(page.status) && !page.more) return await stream.end('end', { status: page.status });
        if (!page.more) await inbox.wait(SAFETY_NET_MS);
        page =
          inbox.takeAfter(after) ??
          (await ask().catch((): Page => ({ changes: [], more: false, status: page.status })));
      }
    } finally {
      deaf();
    }
  }
}
