import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { runChanged } from '@millrace/contracts/runs/engine';
import { runEvents } from '@millrace/contracts/runs/runs';
import { isFinalRun } from '@millrace/contracts/runs/statuses';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { CurrentCaller } from '../access/current-caller.js';
import { isRefusal, LastingAccess } from '../access/stream-access.js';
import { readRequest } from '../routes/read-request.js';
import { Serves } from '../routes/route.js';
import { EventStream } from './event-stream.js';
import { lastEventId } from './last-event-id.js';
import { ChangeInbox, type Page } from './run-change-buffer.js';

/** Should a wake-up be lost, the stream catches up within this time. */
const SAFETY_NET_MS = 5_000;

/** Status changes of a run as server-sent events: those told meanwhile come along with the signal, all others are asked for. */
@Controller()
export class RunEventsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
    private readonly caller: CurrentCaller,
  ) {}

  @Serves(runEvents)
  async events(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(runEvents, request);
    const { id: run } = envelope.params as { id: string };
    let after = lastEventId(request) ?? (envelope.query as { after: number }).after;
    const ask = async (from: Envelope) =>
      (await this.rpc.send(runEvents, { ...from, query: { after }, deadline: Date.now() + 10_000 })) as Page;
    const sources = { currentCaller: () => this.caller.behind(request), enter: ask };
    const access = new LastingAccess(envelope, sources, reply.raw);
    const inbox = new ChangeInbox();
    const deaf = this.broker.subscribe(runChanged, (told) => inbox.put(told), run);
    try {
      // The first answer decides between an error and a stream.
      let page = await ask(envelope);
      if (reply.raw.destroyed) return;
      const stream = new EventStream(reply);
      access.watch();
      for (;;) {
        for (const { seq, change } of page.changes) {
          await access.confirm();
          after = seq;
          await stream.send('change', change, String(seq));
        }
        if (stream.isClosed) return;
        if (isFinalRun(page.status) && !page.more) {
          await access.confirm();
          return await stream.end('end', { status: page.status });
        }
        if (!page.more) await inbox.wait(SAFETY_NET_MS);
        page = inbox.takeAfter(after) ?? (await ask(access.envelope).catch(orNothing(page.status)));
      }
    } finally {
      deaf();
    }
  }
}

/** A service that is being restarted has nothing to tell for now; one that refuses has ended the stream. */
const orNothing =
  (status: Page['status']) =>
  (error: unknown): Page => {
    if (isRefusal(error)) throw error;
    return { changes: [], more: false, status };
  };
