import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { readRunningLog, runChanged } from '@millrace/contracts/runs/engine';
import { describeLogGap, type StoredLogInfo } from '@millrace/contracts/runs/log-gap';
import { readLogs } from '@millrace/contracts/runs/subjobs';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import type { ObjectStore } from '@millrace/storage/object-store';
import { CurrentCaller } from '../access/current-caller.js';
import { LastingAccess } from '../access/stream-access.js';
import { readRequest } from '../routes/read-request.js';
import { Serves } from '../routes/route.js';
import { answerByHand } from '../streams/begin-raw-response.js';
import { Waker } from '../streams/waker.js';
import { OBJECT_STORE } from '../transfers/object-stores.js';
import { refuseRange } from '../transfers/reject-range.js';
import { readRange } from '../transfers/send-object.js';
import { findStoredTail, readStoredLog, readStoredRange, sizeOfSentLog } from './stored-log.js';

type Where = Result<typeof readLogs>;
type Query = Input<typeof readLogs>['query'];
type Part = Result<typeof readRunningLog>;

/** A worker is asked to wait this long for more before it answers with nothing. */
const WAIT_MS = 2_000;
const SAFETY_NET_MS = 5_000;
/** A step that has just ended is known to the engine after some milliseconds. */
const SETTLE_MS = 200;
const SETTLE_TRIES = 10;

/** Logs as text: from the store once an attempt has ended, before that from the worker that runs it. */
@Controller()
export class LogsController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
    private readonly caller: CurrentCaller,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Serves(readLogs)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const envelope = readRequest(readLogs, request);
    const query = envelope.query as Query;
    if (query.tail !== undefined && query.offset !== undefined) {
      throw new ValidationError({ 'query.offset': 'cannot be combined with tail' });
    }
    const first = await this.locate(envelope);
    const { where, offset } = await this.begin(envelope, first, query);
    const isWhole = query.tail === undefined && query.offset === undefined && query.follow === 'false';
    const range = where.stored && isWhole ? readRange(request.headers.range, sizeOfSentLog(where.stored)) : null;
    if (where.stored && range === 'unsatisfiable') return refuseRange(reply, sizeOfSentLog(where.stored), 'log');
    const sources = {
      currentCaller: () => this.caller.behind(request),
      enter: (from: Envelope) => this.locate(from),
    };
    const access = new LastingAccess(envelope, sources, reply.raw);
    const headers = { ...headersOf(where, offset), ...(isWhole && where.stored && { 'accept-ranges': 'bytes' }) };
    if (where.stored && range && range !== 'unsatisfiable') {
      const { start, end } = range;
      const of = sizeOfSentLog(where.stored);
      const ranged = { 'content-range': `bytes ${start}-${end}/${of}`, 'content-length': end - start + 1 };
      answerByHand(reply, { ...headers, ...ranged }, 206);
      return this.send(access, reply, readStoredRange(this.store, where.stored, range));
    }
    answerByHand(reply, headers);
    return this.send(access, reply, this.follow(access, where, offset));
  }

  private async send(access: LastingAccess, reply: FastifyReply, log: AsyncIterable<Uint8Array>): Promise<void> {
    if (reply.raw.writableEnded) return;
    access.watch();
    await pipeline(access.guard(log), reply.raw).catch(() => undefined);
  }

  /** The log of one attempt; without `attempt` of the one that is the last now. */
  private async locate(envelope: Envelope, attempt?: number): Promise<Where> {
    const query = attempt === undefined ? envelope.query : { ...(envelope.query as Query), attempt };
    return (await this.rpc.send(readLogs, { ...envelope, query, deadline: Date.now() + 10_000 })) as Where;
  }

  /** Finds the byte of the complete log that the answer begins with. */
  private async begin(envelope: Envelope, first: Where, query: Query): Promise<{ where: Where; offset: number }> {
    const { tail } = query;
    if (tail === undefined) return { where: first, offset: query.offset ?? 0 };
    let where = first;
    for (let tries = 0; tries < SETTLE_TRIES; tries++) {
      if (where.stored) return { where, offset: await findStoredTail(this.store, where.stored, tail) };
      if (!where.running) break;
      const part = await this.ask(envelope, where.running, { offset: 0, tail, waitMs: 0 });
      if (part.state === 'running' && part.offset !== undefined) return { where, offset: part.offset };
      await sleep(SETTLE_MS);
      where = await this.locate(envelope, where.attempt);
    }
    return { where, offset: 0 };
  }

  /** Yields the log of one attempt from `offset`; with `follow`, until that attempt has ended. */
  private async *follow(access: LastingAccess, first: Where, from: number): AsyncGenerator<Uint8Array> {
    const { id: run } = access.envelope.params as { id: string };
    const isFollowed = (access.envelope.query as Query).follow === 'true';
    const waker = new Waker();
    const deaf = this.broker.subscribe(runChanged, () => waker.wake(), run);
    let offset = from;
    let where = first;
    try {
      for (;;) {
        if (where.stored) {
          yield* readStoredLog(this.store, where.stored, offset);
          return;
        }
        if (where.state === 'none') return;
        if (where.running) {
          for await (const part of this.running(access.envelope, where.running, offset, isFollowed)) {
            if (part.offset > offset) yield Buffer.from(describeLogGap(part.offset - offset));
            offset = part.offset + part.chunk.length;
            yield part.chunk;
          }
        }
        if (!isFollowed) return;
        await waker.wait(where.running ? SETTLE_MS : SAFETY_NET_MS);
        where = await this.locate(access.envelope, where.attempt);
      }
    } finally {
      deaf();
    }
  }

  /** Reads from the worker until its step has ended, or until there is no more for now. */
  private async *running(
    envelope: Envelope,
    at: NonNullable<Where['running']>,
    from: number,
    isFollowed: boolean,
  ): AsyncGenerator<{ offset: number; chunk: Buffer }> {
    let offset = from;
    for (;;) {
      const part = await this.ask(envelope, at, { offset, waitMs: isFollowed ? WAIT_MS : 0 });
      const chunk = Buffer.from(part.chunk, 'base64');
      const start = part.offset ?? offset;
      if (chunk.length > 0) yield { offset: start, chunk };
      offset = start + chunk.length;
      if (part.state !== 'running' || (!isFollowed && chunk.length === 0)) return;
    }
  }

  private ask(
    envelope: Envelope,
    { worker, ...step }: NonNullable<Where['running']>,
    wanted: { offset: number; tail?: number; waitMs: number },
  ): Promise<Part> {
    const { id: run } = envelope.params as { id: string };
    const { stream } = envelope.query as Query;
    return this.rpc
      .call(readRunningLog, { run, ...step, stream, ...wanted }, envelope, {
        timeoutMs: WAIT_MS + (wanted.tail === undefined ? 3_000 : 10_000),
        instance: worker,
      })
      .catch(() => ({ state: 'unknown' as const, chunk: '' }));
  }
}

const headersOf = (where: Where, offset: number) => ({
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-log-state': where.state,
  'x-log-attempt': where.attempt ?? 1,
  'x-log-offset': offset,
  ...(where.stored && { 'x-log-truncated': String((where.stored satisfies StoredLogInfo).truncated) }),
});
