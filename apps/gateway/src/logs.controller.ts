import { pipeline } from 'node:stream/promises';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Result } from '@millrace/contracts/kit/operation';
import { readRunningLog, runChanged } from '@millrace/contracts/runs/engine';
import { readLogs } from '@millrace/contracts/runs/subjobs';
import { Asker } from '@millrace/messaging/asker';
import { Broker } from '@millrace/messaging/broker';
import type { ObjectStore } from '@millrace/storage/object-store';
import { CurrentCaller } from './access/current-caller.js';
import { LastingAccess } from './access/lasting-access.js';
import { answerByHand } from './answer-by-hand.js';
import { OBJECT_STORE } from './object-store.js';
import { readRequest } from './read-request.js';
import { Serves } from './serves.js';
import { Waker } from './waker.js';

type Where = Result<typeof readLogs>;

/** A worker is asked to wait this long for more before it answers with nothing. */
const WAIT_MS = 2_000;
const SAFETY_NET_MS = 5_000;

/** Logs as text: from the store once a subjob has ended, before that from the worker that runs it. */
@Controller()
export class LogsController {
  constructor(
    private readonly asker: Asker,
    private readonly broker: Broker,
    private readonly caller: CurrentCaller,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Serves(readLogs)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(readLogs, request);
    const where = await this.locate(envelope);
    const sources = {
      currentCaller: () => this.caller.behind(request),
      enter: (from: Envelope) => this.locate(from),
    };
    const access = new LastingAccess(envelope, sources, reply.raw);
    answerByHand(reply, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...(where.stored && { 'x-log-truncated': String(where.stored.truncated) }),
    });
    if (reply.raw.writableEnded) return;
    access.watch();
    await pipeline(access.guard(this.follow(access, where)), reply.raw).catch(() => undefined);
  }

  private async locate(envelope: Envelope): Promise<Where> {
    return (await this.asker.send(readLogs, { ...envelope, deadline: Date.now() + 10_000 })) as Where;
  }

  /** Yields the log from its beginning; with `follow`, until the subjob has ended. */
  private async *follow(access: LastingAccess, first: Where): AsyncGenerator<Uint8Array> {
    const { id: run } = access.envelope.params as { id: string };
    const { follow } = access.envelope.query as { follow: 'true' | 'false' };
    const waker = new Waker();
    const deaf = this.broker.hear(runChanged, () => waker.wake(), run);
    let offset = 0;
    let where = first;
    try {
      for (;;) {
        if (where.stored) {
          yield* this.stored(where.stored, offset);
          return;
        }
        if (where.state === 'none') return;
        if (where.running) {
          for await (const chunk of this.running(access.envelope, where.running, run, offset, follow === 'true')) {
            offset += chunk.length;
            yield chunk;
          }
        }
        if (follow === 'false') return;
        await waker.wait(where.running ? 200 : SAFETY_NET_MS);
        where = await this.locate(access.envelope);
      }
    } finally {
      deaf();
    }
  }

  private async *stored(log: NonNullable<Where['stored']>, offset: number): AsyncGenerator<Uint8Array> {
    if (log.size > offset) yield* this.store.read(log.sha256, { start: offset });
  }

  /** Reads from the worker until its step has ended, or until there is no more for now. */
  private async *running(
    envelope: Envelope,
    at: NonNullable<Where['running']>,
    run: string,
    from: number,
    follow: boolean,
  ): AsyncGenerator<Uint8Array> {
    const { stream } = envelope.query as { stream: 'stdout' | 'stderr' };
    let offset = from;
    for (;;) {
      const question = { run, step: at.step, task: at.task, stream, offset, waitMs: follow ? WAIT_MS : 0 };
      const part = await this.asker
        .ask(readRunningLog, question, envelope, { timeoutMs: WAIT_MS + 3_000, instance: at.worker })
        .catch(() => ({ state: 'unknown' as const, chunk: '' }));
      const chunk = Buffer.from(part.chunk, 'base64');
      offset += chunk.length;
      if (chunk.length > 0) yield chunk;
      if (part.state !== 'running' || (!follow && chunk.length === 0)) return;
    }
  }
}
