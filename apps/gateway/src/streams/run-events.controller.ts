import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { runChanged } from '@millrace/contracts/runs/engine';
import { runEvents } from '@millrace/contracts/runs/runs';
import { isFinalRun } from '@millrace/contracts/runs/statuses';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { CallerResolver } from '../access/current-caller.js';
import { StreamAccess, isAccessDenied } from '../access/stream-access.js';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { EventStream, readLastEventId } from './event-stream.js';
import { type Page, RunChangeBuffer } from './run-change-buffer.js';

/** A stream whose wake-up was lost catches up within this time. */
const POLL_INTERVAL_MS = 5_000;

/** Status changes of a run as server-sent events. New changes arrive in the signal itself; missing ones are fetched. */
@Controller()
export class RunEventsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
    private readonly caller: CallerResolver,
  ) {}

  @Route(runEvents)
  async events(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(runEvents, request);
    const { id: run } = envelope.params as { id: string };
    let after = readLastEventId(request) ?? (envelope.query as { after: number }).after;
    const fetchPage = async (from: Envelope) =>
      (await this.rpc.send(runEvents, { ...from, query: { after }, deadline: Date.now() + 10_000 })) as Page;
    const checks = { currentCaller: () => this.caller.resolve(request), checkRecordAccess: fetchPage };
    const access = new StreamAccess(envelope, checks, reply.raw);
    const buffer = new RunChangeBuffer();
    const unsubscribe = this.broker.subscribe(runChanged, (signal) => buffer.add(signal), run);
    try {
      // The first response decides between an error and a stream.
      let page = await fetchPage(envelope);
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
        if (!page.more) await buffer.wait(POLL_INTERVAL_MS);
        page = buffer.takeAfter(after) ?? (await fetchPage(access.envelope).catch(emptyPageUnlessDenied(page.status)));
      }
    } finally {
      unsubscribe();
    }
  }
}

/** An outage of the runs service yields an empty page; a denial ends the stream. */
const emptyPageUnlessDenied =
  (status: Page['status']) =>
  (error: unknown): Page => {
    if (isAccessDenied(error)) throw error;
    return { changes: [], more: false, status };
  };
